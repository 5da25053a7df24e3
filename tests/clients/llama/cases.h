/* What the client does with llama.cpp's Metal backend; each opens it if nobody has yet. */
#ifndef CLIENTS_LLAMA_CASES_H
#define CLIENTS_LLAMA_CASES_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the backend, which prints its log to stdout while it asks the device. */
bool llama_log(void);

/* Prints which of llama.cpp's test cases the backend accepts, as CSV: test-backend-ops itself. */
bool llama_support(void);

/* Encodes each test case that the backend accepts, with a line "case N OP(PARAMETERS)" in the
 * record of dispatches before each; prints "graphs N of ALL". */
bool llama_encode(void);

/* Asks the device now, through the backend, which does not remember this: the highest GPU family.
 */
int llama_family(void);

#ifdef __cplusplus
}
#endif

#endif
