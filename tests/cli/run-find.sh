# What is started in the end: PATH, symbolic links, #! lines, env.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary bin other "with space"
cp "$PLAIN" bin/plain
cp bin/plain "with space/plain"
ln -s ../bin/plain other/link
run() {
  "$MTLCAP" run --library "$FALSE_LIBRARY" "$@"
}
# What was started is of interest here, not whether it loads anything.
clean() {
  sed "s|$PWD/|HERE/|g; /has left no receipt/d; /^Likely:/d"
}
quiet() {
  code=0
  run "$@" >started.txt 2>&1 || code=$?
  clean <started.txt
  echo "exit code $code"
}
# with_path PATH ARGUMENT...
with_path() {
  code=0
  path=$1
  shift
  PATH=$path "$MTLCAP" run --library "$FALSE_LIBRARY" -- "$@" >started.txt 2>&1 || code=$?
  clean <started.txt
  echo "exit code $code"
}
echo "-- PATH"
with_path "$PWD/bin:$PATH" plain arguments 1
with_path "$PWD/other:$PATH" link arguments 1
(cd bin && with_path ":/usr/bin:/bin" plain arguments 1)
quiet -- bin/plain arguments 'a b' '' '*'
quiet -- "with space/plain" arguments
mkdir bin/folder && touch bin/not-executable
for name in nothing folder not-executable ./nothing ./bin ./bin/not-executable ./bin/plain/x ''; do
  with_path "$PWD/bin" "$name"
done
echo "-- #! lines"
script() { # NAME LINE...
  file=$1
  shift
  printf '%s\n' "$@" >"$file"
  chmod +x "$file"
}
script simple "#!$PWD/bin/plain"
script words "#! $PWD/bin/plain  one  two  "
script nested "#!$PWD/simple nested"
script missing '#!/nonexistent/sh'
script empty '#!'
script crlf "$(printf '#!/bin/sh\r')"
script loop "#!$PWD/loop"
script none 'echo none'
quiet -- ./simple arguments
with_path "$PWD:$PATH" simple
quiet -- ./words x
quiet -- ./nested x
for name in missing empty crlf loop none; do
  quiet -- ./$name
done
echo "-- env"
export PATH="$PWD/bin:/usr/bin:/bin"
script by-env '#!/usr/bin/env plain'
script split '#!/usr/bin/env -S plain variables'
script assigned "#!/usr/bin/env -S -u HOME A=1 'B=x  y' plain variables A B HOME"
script quoted '#!/usr/bin/env -S plain "a b" '"'c\"d' e\\_f \"g\\_h\" i\\tj k\\\$l \${A}m # n"
script emptied '#!/usr/bin/env -S -i plain variables PATH A MTLCAP_PROFILE'
script unknown '#!/usr/bin/env -S --chdir=/ plain'
script no-program '#!/usr/bin/env absent'
export A=a
quiet -- ./by-env x
quiet -- ./split
quiet -- ./assigned
quiet -- ./quoted
quiet -- ./emptied
quiet -- ./no-program
quiet -- env -u A B=2 plain variables A B
quiet -- env --unset=A -- plain variables A
quiet -- /usr/bin/env - B=2 "$PWD/bin/plain" variables A B
quiet -- env PATH=/nonexistent plain
quiet -- env -i B=2 | grep -v "^[A-Z_]*="
quiet -- ./unknown | head -1
mkdir own own/bin
cp bin/plain own/bin/env
quiet -- own/bin/env arguments plain
ln -s /usr/bin/env own/env
quiet -- own/env plain arguments 1
quiet -- env -P bin plain | head -1
for name in '1A' 'A-b' 'A'; do
  quiet -- env -S "$PWD/bin/plain \${$name}" 2>&1 | head -1
done
quiet -- env -i -S "$PWD/bin/plain \${A}"
quiet -- env -u A -S "$PWD/bin/plain \${A}"
quiet -- env -S "-i $PWD/bin/plain variables A"
echo "-- as the system and env do it"
for name in simple words nested by-env split assigned quoted; do
  ./$name x '' >expected.txt
  run -- ./$name x '' 2>/dev/null | cmp - expected.txt
done
echo "-- info"
quiet --log info -- ./by-env
left
