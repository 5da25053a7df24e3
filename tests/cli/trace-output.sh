# Where the trace goes, and what becomes of what is there.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$ASKS" asks
size() {
  wc -l <"$1" | tr -d ' '
}
echo "-- into a file"
traced -o file -- ./asks
head -1 file | unvaried
chmod 640 file
ln -s file link
traced -o link --json -- ./asks
valid_trace file
stat -c %a file 2>/dev/null || stat -f %Lp file
[ -L link ] && echo "still a link"
"$MTLCAP" trace -o /dev/null -- ./asks
echo "-- what cannot be written is told before anything starts"
mkdir folder
for place in folder none/file ''; do
  traced -o "$place" -- ./asks
done
echo "-- the disk is full at the end"
traced -o /dev/full -- ./asks | sed 's/[0-9]*\.trace/N.trace/'
kept=$(find temporary -name '*.trace')
"$MTLCAP" trace --from "$kept" | head -1 | unvaried
rm -r temporary/*
echo "-- a closed output"
code=0; "$MTLCAP" trace -- ./asks 2>&- || code=$?
echo "standard error: $code"
code=0; "$MTLCAP" trace -o - -- ./asks >&- 2>err || code=$?
echo "standard output: $code"
find . -name 'file.*'
left
