#!/bin/sh
# package.sh CMAKE GENERATOR COMPILER PKG-CONFIG SOURCE BUILD WORK: installs BUILD, moves what was
# installed, and uses it from there: the command, examples/ built with find_package (shared and
# static library) and with pkg-config.
set -eu
cmake=$1 compiler=$3 pkg_config=$4 source=$5 build=$6 work=$7
export CMAKE_GENERATOR="$2" # what there is a program for

fail() {
  echo "package: $*" >&2
  exit 1
}

# Runs the example `apply` and checks what it says: off a Mac, exactly, since the device is known.
check_apply() { # PROGRAM
  echo "-- $1"
  SIMMETAL_DEVICES=paravirt "$1" >"$work/apply.txt" || fail "$1: exit status $?"
  cat "$work/apply.txt"
  grep -q '^After restore:$' "$work/apply.txt" || fail "$1: no answers after restore"
  if [ "$(uname)" != Darwin ]; then
    answers=$(awk '$1 == "apple" {printf "%s ", $2}' "$work/apply.txt")
    [ "$answers" = "5 7 5 " ] || fail "$1: apple is $answers, not 5 7 5"
  fi
}

rm -rf "$work"
mkdir -p "$work"
echo "== install and move"
"$cmake" --install "$build" --prefix "$work/first" >"$work/install.txt"
mv "$work/first" "$work/moved"
prefix=$work/moved
if grep -rIl "$work/first" "$prefix" || grep -rIl "$build" "$prefix"; then
  fail "the files above contain the path that they were built in or installed to"
fi

echo "== documents, and where they lead"
documents=$prefix/share/doc/mtlcap
for file in README.md docs/injection.md docs/environment.md docs/receipt-json.md docs/probe-json.md; do
  [ -f "$documents/$file" ] || fail "$file is not installed"
done
(cd "$documents" && find . -name '*.md') >"$work/documents.txt"
while read -r file; do
  sed 's/](/\n&/g' "$documents/$file" | sed -n 's/^](\([^)#:]*\)[)#].*/\1/p' >"$work/links.txt"
  while read -r link; do
    [ -z "$link" ] || [ -e "$documents/$(dirname "$file")/$link" ] || fail "$file leads to $link, which is not \
installed"
  done <"$work/links.txt"
done <"$work/documents.txt"

echo "== manual pages and completions"
"$prefix/bin/mtlcap" --complete '' | cut -f 1 >"$work/commands.txt"
[ -s "$work/commands.txt" ] || fail "mtlcap --complete knows no command"
while read -r command; do
  [ -f "$prefix/share/man/man1/mtlcap-$command.1" ] || fail "no page of mtlcap $command"
done <"$work/commands.txt"
while read -r original installed; do
  cmp "$source/$original" "$prefix/share/$installed" || fail "share/$installed is not as it should be"
done <<EOT
docs/man/mtlcap.1 man/man1/mtlcap.1
docs/man/mtlcap.3 man/man3/mtlcap.3
tools/completions/mtlcap.bash bash-completion/completions/mtlcap
tools/completions/_mtlcap zsh/site-functions/_mtlcap
tools/completions/mtlcap.fish fish/vendor_completions.d/mtlcap.fish
EOT
while read -r function; do
  page=$prefix/share/man/man3/$function.3
  [ -f "$prefix/share/man/$(sed -n 's/^\.so //p' "$page")" ] || fail "no page of $function()"
done <"$source/lib/exports.txt"

echo "== the command"
"$prefix/bin/mtlcap" version
"$prefix/bin/mtlcap" probe >"$work/probe.txt" || fail "mtlcap probe: exit status $?"
grep -q threadgroup_memory "$work/probe.txt" || fail "mtlcap probe: no threadgroup_memory"

build_examples() { # STATIC
  echo "== examples by find_package, static library: $1"
  "$cmake" -S "$source/examples" -B "$work/examples-$1" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$prefix" -DMTLCAP_EXAMPLES_STATIC="$1" >"$work/configure.txt"
  "$cmake" --build "$work/examples-$1" >"$work/build.txt"
}

build_examples OFF
check_apply "$work/examples-OFF/apply"
for quick in quick quick-cpp; do
  "$work/examples-OFF/$quick" >"$work/$quick.txt" || fail "$quick: exit status $?"
  grep -q '^apple: ' "$work/$quick.txt" || fail "$quick says nothing of apple"
done
"$work/examples-OFF/capabilities" | grep -q '^  threadgroup_memory  *[0-9]' || fail "capabilities"
"$work/examples-OFF/explain" auto | grep -q '^apply would return: success$' || fail "explain"

echo "== an example and the README's program by pkg-config"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
[ -f "$("$pkg_config" --variable=injectlibrary mtlcap)" ] || fail "there is no injected library"
if [ "$(uname)" = Darwin ]; then
  packages=mtlcap
  metal="-framework Metal"
else
  packages="mtlcap simmetal"
  metal=
fi
sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '/^```/d' >"$work/readme.c"
for program in "$source/examples/apply.c" "$work/readme.c"; do
  # shellcheck disable=SC2046,SC2086 # flags are words
  "$compiler" -Wall -Wextra -Werror $metal $("$pkg_config" --cflags mtlcap) "$program" \
    -o "$work/$(basename "$program" .c)" $("$pkg_config" --libs $packages) \
    -Wl,-rpath,"$("$pkg_config" --variable=libdir mtlcap)"
done
"$work/readme" || fail "the README's program: exit status $?"
check_apply "$work/apply"

if [ "$(uname)" != Darwin ]; then
  echo "== the README's commands with pkg-config"
  (
    mkdir -p "$work/home" "$work/bin"
    ln -s "$prefix" "$work/home/mtlcap"
    ln -s "$(command -v "$compiler")" "$work/bin/cc"
    cd "$work"
    cp readme.c program.c
    # After each compilation, the program.
    sed -n '/^    export PKG_CONFIG_PATH/,/^$/s/^    //p; s/^    \(cc .* mtlcap simmetal)\)/\1/p' \
      "$source/README.md" |
      sed '/^cc /a LD_PRELOAD="$libdir/libsimmetal.so" ./a.out' >readme-commands.sh
    HOME="$work/home" PATH="$work/bin:$PATH" sh -eu readme-commands.sh >readme-commands.txt
    [ "$(grep -c '(stock: 5)' readme-commands.txt)" = 3 ] || fail "the README's commands"
  )

  echo "== a Metal program, as lib/simmetal/README.md builds it, and under a profile"
  (
    cd "$work"
    sed -n 's/^    //; /^clang-19 /,/-o families$/p' "$source/lib/simmetal/README.md" |
      sed "s|examples/|$source/&|" >build-families.sh
    sh -eu build-families.sh
    ./families | grep -q ': Apple5, 32768 bytes' || fail "families: not as stock"
    "$prefix/bin/mtlcap" run -p auto --strict -- ./families | grep -q ': Apple7' ||
      fail "families: not under the profile"
  )

  echo "== the static library by pkg-config, the simulated Metal preloaded"
  libdir=$("$pkg_config" --variable=libdir mtlcap)
  # shellcheck disable=SC2046 # flags are words
  "$compiler" $("$pkg_config" --cflags mtlcap) "$source/examples/apply.c" -o "$work/apply-static" \
    "$libdir/libmtlcap.a" -ldl -pthread
  "$work/apply-static" 2>"$work/no-metal.txt" && fail "a Metal without the simulated one"
  grep -q 'LD_PRELOAD=libsimmetal.so' "$work/no-metal.txt" || fail "no word of the simulated Metal"
  export LD_PRELOAD="$libdir/libsimmetal.so"
  check_apply "$work/apply-static"
  unset LD_PRELOAD
fi

build_examples ON
rm "$prefix"/lib/libmtlcap.so* "$prefix"/lib/libmtlcap*.dylib 2>/dev/null || true
check_apply "$work/examples-ON/apply"
