#!/bin/sh
# cmake.sh CMAKE GENERATOR COMPILER BUILD WORK: find_package(mtlcap) finds what is there, and says what
# is not: versions and components.
set -eu
cmake=$1 compiler=$3 build=$4 work=$5
export CMAKE_GENERATOR="$2"

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.txt"

# configure NAME ARGUMENTS-OF-FIND_PACKAGE LINE...: what CMake says is in NAME.txt; fails as it does.
configure() {
  name=$1 arguments=$2
  shift 2
  mkdir "$work/$name"
  {
    echo "cmake_minimum_required(VERSION 3.22)"
    echo "project(user LANGUAGES C)"
    echo "find_package(mtlcap $arguments)"
    printf '%s\n' "$@"
  } >"$work/$name/CMakeLists.txt"
  echo "== find_package(mtlcap $arguments)"
  "$cmake" -S "$work/$name" -B "$work/$name/build" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/$name.txt" 2>&1
}

refused() { # NAME ARGUMENTS TEXT
  if configure "$1" "$2"; then
    echo "cmake.sh: find_package(mtlcap $2) was not refused" >&2
    exit 1
  fi
  tr -s '\n ' ' ' <"$work/$1.txt" | grep -qF "$3" || {
    cat "$work/$1.txt"
    echo "cmake.sh: it does not say: $3" >&2
    exit 1
  }
}

accepted() { # as configure
  configure "$@" || {
    cat "$work/$1.txt"
    exit 1
  }
}

accepted components "0.1 REQUIRED COMPONENTS inject command" \
  'file(GENERATE OUTPUT paths.txt' \
  '  CONTENT "$<TARGET_FILE:mtlcap::inject>\n$<TARGET_FILE:mtlcap::command>\n")'
while read -r path; do
  [ -f "$path" ] || {
    echo "cmake.sh: there is no $path" >&2
    exit 1
  }
done <"$work/components/build/paths.txt"
"$(tail -n 1 "$work/components/build/paths.txt")" version

accepted optional "0.1 QUIET OPTIONAL_COMPONENTS inject nonsense" \
  'if(NOT mtlcap_FOUND OR NOT mtlcap_inject_FOUND OR mtlcap_nonsense_FOUND)' \
  '  message(FATAL_ERROR "${mtlcap_FOUND} ${mtlcap_inject_FOUND} ${mtlcap_nonsense_FOUND}")' 'endif()'
refused unknown "0.1 REQUIRED COMPONENTS nonsense" \
  "there is no component nonsense; there are inject, command, simmetal"
refused newer "0.2 REQUIRED" "version: 0.1."
refused major "1 REQUIRED" "version: 0.1."

echo "== the README's lines"
readme=$(dirname "$0")/../../README.md
mkdir "$work/readme"
sed -n '/^```c$/,/^```$/p' "$readme" | sed '/^```/d' >"$work/readme/program.c"
{
  printf '%s\n' "cmake_minimum_required(VERSION 3.22)" "project(user LANGUAGES C)" \
    "add_executable(program program.c)"
  sed -n '/^```cmake$/,/^```$/p' "$readme" | sed '/^```/d'
} >"$work/readme/CMakeLists.txt"
"$cmake" -S "$work/readme" -B "$work/readme/build" -DCMAKE_C_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/readme.txt"
"$cmake" --build "$work/readme/build" >>"$work/readme.txt"
"$work/readme/build/program" 2>&1 | grep .
