/* What the forms of JSON that `mtlcap explain` prints have in common. */
#ifndef TOOLS_EXPLAIN_JSON_H
#define TOOLS_EXPLAIN_JSON_H

#include "explain.h"
#include "json.h"

/* Up to the list of devices, and its end. */
void explain_json_begin(struct json *json, const struct explain *explain);
void explain_json_end(struct json *json);

/* Opens a device. */
void explain_json_device(struct json *json, const struct explain_answers *answers);

#endif
