# Children start without the library, unless they are to inherit it; then theirs is confirmed, too.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
export ASAN_OPTIONS=detect_leaks=0 # in builds with it: its helper would inherit the library
cp "$CLIENT" client
cp "$PLAIN" plain
started -p auto -- ./plain start ./client answer
started -p auto --children none --strict -- ./plain start ./client answer
started -p auto --children inherit -- ./plain start ./client answer
started -p auto --children inherit --strict -- ./plain start ./client answer
left
