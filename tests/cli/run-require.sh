# A requirement holds before the program gets the device, or the exit code is 70.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$CLIENT" client
cp "$PLAIN" plain
started -p auto --require 'apple>=7' -- ./client exit 5
started -p auto --require 'apple>=7' --require threadgroup_memory=32K -- ./client exit 5
started -p auto --require 'apple>=8' -- ./client exit 5
started -p stock --require 'apple>=7' -- ./client exit 5
started -p auto --require 'apple>=7' -- ./plain exit 5
started -p auto --require 'apple>=7' --strict -- ./plain exit 5
SIMMETAL_DEVICES=none started -p auto --require 'apple>=7' -- ./client exit 5
# Metal lists one, and gives the program none.
SIMMETAL_DEVICES=no-default-device started -p apple.min=7 --require 'apple>=7' -- ./client exit 5
left
