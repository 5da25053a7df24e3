# Launchers that execute another program are named, with what to call instead.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
run() {
  started --library "$FALSE_LIBRARY" "$@"
}
mkdir temporary
for folder in .pyenv/shims .rbenv/shims .asdf/shims share/mise/shims .volta/bin; do
  mkdir -p "$folder"
  printf '#!/bin/sh\nexit 0\n' >"$folder/python3"
  chmod +x "$folder/python3"
  echo "-- $folder"
  PATH="$PWD/$folder:$PATH" run -- python3 x.py
done
echo "-- a binary, behind a script, strict"
cp "$PLAIN" .volta/bin/node
printf '#!/usr/bin/env node\n' >script
chmod +x script
PATH="$PWD/.volta/bin:$PATH" run --strict -- ./script
PATH="$PWD/.volta/bin:$PATH" run --require 'apple>=7' -- ./script
echo "-- a script of a shell"
printf '#!/bin/sh\necho hello\n' >shell
chmod +x shell
run -- ./shell
run --strict -- ./shell
echo "-- a framework's Python"
versions=Python.framework/Versions/3.13
mkdir -p "$versions/bin" "$versions/Resources/Python.app/Contents/MacOS" venv
cp "$PLAIN" "$versions/bin/python3.13"
printf '#!%s/%s/bin/python3.13\n' "$PWD" "$versions" >launched
chmod +x launched
cp "$PLAIN" "$versions/Resources/Python.app/Contents/MacOS/Python"
ln -s "../$versions/bin/python3.13" venv/python3
run --log info -- venv/python3 variables __PYVENV_LAUNCHER__ | grep -v 'receipt\|^Likely'
run -- ./launched x | grep -v 'receipt\|^Likely'
left
