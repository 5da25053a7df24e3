# A shell's script: what it starts has the library if children inherit it.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$CLIENT" client
printf '#!/bin/sh\n./client answer\n' >script
chmod +x script
started -p auto --children inherit --strict -- ./script
started -p auto -- ./script
started -p auto --strict -- ./script
left
