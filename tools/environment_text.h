/* The variables of the injected library, for people. */
#ifndef TOOLS_ENVIRONMENT_TEXT_H
#define TOOLS_ENVIRONMENT_TEXT_H

void environment_text_write(void);

#endif
