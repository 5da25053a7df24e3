# Files may not be as long as that: what is there stays.
"$MADE_TRACE" >made.trace
echo kept >file
(ulimit -f 0; "$MTLCAP" trace --from made.trace -o file 2>&1) | sed "s|$PWD|HERE|"
cat file
ls
