# Closed descriptors: no other file that is opened may get the output.
try() {
  echo "$1: $2"
}
code=0; "$MTLCAP" version >&- || code=$?
try "stdout" $code
code=0; "$MTLCAP" probe >&- || code=$?
try "stdout, with devices" $code
code=0; "$MTLCAP" version 2>&- || code=$?
try "stderr" $code
code=0; "$MTLCAP" frobnicate 2>&- || code=$?
try "stderr, with an error" $code
code=0; "$MTLCAP" frobnicate >&- 2>&- || code=$?
try "both, with an error" $code
code=0; "$MTLCAP" probe >&- 2>&- <&- || code=$?
try "all" $code
code=0; "$MTLCAP" probe 2>&- <&- | head -1 || code=$?
try "input and stderr" $code
ls
