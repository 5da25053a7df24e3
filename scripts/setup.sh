#!/bin/sh
# Installs what building needs and this machine lacks: with apt on Debian and Ubuntu, with Homebrew
# on a Mac. Anywhere else, or with --no-install, lists it.
#
#     sh scripts/setup.sh [--no-install] [demo | tests]
#
# Exit status: 0 everything is there; 1 it cannot be installed; 2 usage; 3 something is missing and
# was not to be installed.
set -eu

install=yes
purpose=demo
for argument; do
  case $argument in
    --no-install) install=no ;;
    demo | tests) purpose=$argument ;;
    -h | --help)
      echo "usage: sh scripts/setup.sh [--no-install] [demo | tests]"
      exit
      ;;
    *)
      echo "usage: sh scripts/setup.sh [--no-install] [demo | tests]" >&2
      exit 2
      ;;
  esac
done

if [ "$purpose" = demo ]; then
  verb="the demo needs"
else
  verb="the tests need"
fi
missing= # the packages that are to be installed
modules= # those that are to be unpacked into build/debian
debian=$(dirname "$0")/../build/debian

has_package() {
  case $system in
    debian) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed' ;;
    mac) command -v brew >/dev/null && brew list --versions "$1" >/dev/null 2>&1 ;;
    *) false ;;
  esac
}

# need PACKAGE COMMAND WHY: PACKAGE is wanted unless COMMAND ("-": none) or PACKAGE is there.
need() {
  if [ "$2" != - ] && command -v "$2" >/dev/null 2>&1; then
    return
  fi
  if ! has_package "$1"; then
    missing="$missing $1"
    printf '  missing: %-20s %s\n' "$1" "$3"
  fi
}

# ---- Debian and Ubuntu ------------------------------------------------------

# need_module PACKAGE FILE WHY: a module of Node. It is not installed but unpacked, into build/debian:
# Debian's packages of modules cannot be installed beside a nodejs that is not Debian's.
need_module() {
  if [ ! -f "/usr/share/nodejs/$2" ] && [ ! -f "$debian/$1/usr/share/nodejs/$2" ]; then
    modules="$modules $1"
    printf '  missing: %-20s %s\n' "$1" "$3"
  fi
}

unpack_modules() {
  for module in $modules; do
    echo "==> Unpacking $module into build/debian"
    rm -rf "${debian:?}/$module"
    mkdir -p "$debian/$module"
    (cd "$debian/$module" && apt-get download -q "$module" && dpkg-deb -x ./*.deb . && rm ./*.deb)
  done
}

# The clang of choice, if the distribution has it; otherwise the newest that it has, from 14 on.
choose_clang() {
  for clang in 19 18 17 16 15 14 20 21 22; do
    if command -v "clang-$clang" >/dev/null || apt-cache show "clang-$clang" >/dev/null 2>&1; then
      return
    fi
  done
  clang=19 # no package lists yet
}

list_debian() {
  need ca-certificates - "checks the servers that sources are downloaded from"
  need cmake cmake "configures the build"
  need ninja-build ninja "runs the build"
  need gcc gcc "compiles the library"
  need g++ g++ "compiles the C++ of real Metal clients"
  need libc6-dev - "headers of the C library"
  need "clang-$clang" "clang-$clang" "compiles Objective-C with blocks"
  need gobjc - "headers of the Objective-C runtime"
  need libgnustep-base-dev - "Foundation, which the simulated Metal builds on"
  need libblocksruntime-dev - "blocks"
  need python3 python3 "runs pip, and the tests of Python clients"
  need python3-pip pip3 "downloads the sources of real Metal clients"
  if [ "$purpose" = tests ]; then
    need libcmocka-dev - "unit tests"
    need nodejs node "runs the tests of the binding for Node"
    if [ ! -f /usr/include/node/node_api.h ]; then
      need libnode-dev - "headers of Node, for its binding"
    fi
    need_module node-addon-api node-addon-api/napi.h "C++ for Node, for its binding"
    need_module node-typescript typescript/lib/tsc.js "checks the types of the binding for Node"
    need ruby ruby "runs the tests of the binding for Ruby"
    need ruby-dev - "headers of Ruby, for its binding"
    need default-jdk-headless javac "compiles and runs the binding for Java"
    need lua5.4 lua5.4 "runs the example of a binding for another language"
    need liblua5.4-dev - "headers of Lua, for that example"
    need python3-dev - "headers of Python, for the Python package"
    need python3-venv - "environments for the tests of the Python package"
    need pkg-config pkg-config "test of the installed package"
    need valgrind valgrind "counts instructions for the benchmark of program start"
    need git git "lists the sources to check"
    need bash-completion - "the tests of completion in shells"
    need zsh zsh "the same"
    need fish fish "the same"
    need mandoc mandoc "checks the manual pages"
    need groff-base groff "the same"
    need binutils readelf "checks what the library exports and needs"
    need "llvm-$clang" "llvm-symbolizer-$clang" "readable stacks from the sanitizers"
    if apt-cache show "libclang-rt-$clang-dev" >/dev/null 2>&1; then
      need "libclang-rt-$clang-dev" - "the sanitizers"
    fi
    if [ "$clang" = 19 ]; then
      need clang-format-19 clang-format-19 "checks the format of the sources"
      need clang-tidy-19 clang-tidy-19 "static analysis"
      need lld-19 ld64.lld-19 "links the files for a Mac"
      if [ "$(uname -m)" = x86_64 ]; then
        need gobjc-aarch64-linux-gnu - "builds what executes the files for a Mac's arm64"
        need libc6-dev-arm64-cross - "the same"
        need qemu-user qemu-aarch64 "executes them"
      fi
    fi
  fi
}

install_debian() {
  as_root=
  if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    if ! command -v sudo >/dev/null; then
      echo "setup: to install packages, run this as root, or install sudo" >&2
      exit 1
    fi
  fi
  echo "==> Updating the package lists (apt-get update)"
  $as_root apt-get update -q
  missing=
  modules=
  choose_clang # known now
  list_debian >/dev/null
  if [ -n "$missing" ]; then
    echo "==> Installing:$missing"
    # shellcheck disable=SC2086 # one word a package
    $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends $missing
  fi
  unpack_modules
}

# ---- macOS ------------------------------------------------------------------

list_mac() {
  if ! xcode-select -p >/dev/null 2>&1; then
    echo "setup: install Apple's command line tools first: xcode-select --install" >&2
    exit 1
  fi
  need cmake cmake "configures the build"
  need ninja ninja "runs the build"
  if [ "$purpose" = tests ]; then
    need cmocka - "unit tests"
    need pkgconf pkg-config "test of the installed package"
    need fish fish "the tests of completion in shells"
  fi
}

install_mac() {
  if ! command -v brew >/dev/null; then
    echo "setup: to install$missing, install Homebrew first: https://brew.sh" >&2
    exit 1
  fi
  echo "==> Installing:$missing"
  # shellcheck disable=SC2086 # one word a package
  brew install $missing
}

# ---- the machine at hand ----------------------------------------------------

echo "==> Looking for the packages that $verb"
if [ "$(uname)" = Darwin ]; then
  system=mac
elif command -v apt-get >/dev/null; then
  system=debian
  choose_clang
else
  echo "setup: nothing can be installed here; if the build lacks something, these are Debian's names" \
    "for what it needs:" >&2
  system=other
  clang=19
  list_debian >&2
  exit 0
fi
"list_$system"
if [ -z "$missing$modules" ]; then
  echo "    everything is there"
elif [ "$install" = no ]; then
  echo "Not installed, as asked. To install: sh scripts/setup.sh $purpose"
  exit 3
else
  "install_$system"
fi
