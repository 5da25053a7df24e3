# Children start without the library, unless they are to inherit it; then theirs is confirmed, too.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$CLIENT" client
cp "$PLAIN" plain
started -p auto -- ./plain start ./client answer
started -p auto --children none --strict -- ./plain start ./client answer
started -p auto --children inherit -- ./plain start ./client answer
started -p auto --children inherit --strict -- ./plain start ./client answer
printf '#!/bin/sh\n./client answer\n' >script
chmod +x script
started -p auto --children inherit --strict -- ./script
started -p auto --strict -- ./script
left
