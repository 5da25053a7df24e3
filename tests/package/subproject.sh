#!/bin/sh
# subproject.sh CMAKE GENERATOR COMPILER SOURCE WORK: another project has the sources as a part of it, by
# add_subdirectory and by FetchContent, and stays as it is: its flags, its standard, its tests, what it
# installs, its cache but for what begins with our name.
set -eu
cmake=$1 compiler=$3 source=$4 work=$5
export CMAKE_GENERATOR="$2"

fail() {
  echo "subproject: $*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work"
sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '/^```/d' >"$work/program.c"

project() { # NAME LINE...: a project that has us by these lines
  mkdir "$work/$1"
  {
    cat <<'EOT'
cmake_minimum_required(VERSION 3.22)
project(enclosing LANGUAGES C)
enable_testing()

function(state variable) # what of this project a part of it could change
  set(text)
  foreach(name BUILD_SHARED_LIBS CMAKE_BUILD_TYPE CMAKE_C_EXTENSIONS CMAKE_C_FLAGS CMAKE_C_STANDARD
          CMAKE_C_VISIBILITY_PRESET CMAKE_MODULE_PATH CMAKE_POSITION_INDEPENDENT_CODE
          CMAKE_EXPORT_COMPILE_COMMANDS BUILD_TESTING)
    string(APPEND text "${name}=${${name}}\n")
  endforeach()
  foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_LIBRARIES LINK_OPTIONS)
    get_directory_property(value ${property})
    string(APPEND text "${property}=${value}\n")
  endforeach()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(${variable} "${text}${languages}" PARENT_SCOPE)
endfunction()

state(before)
get_cmake_property(cache_before CACHE_VARIABLES)
EOT
    shift
    printf '%s\n' "$@"
    cat <<'EOT'
state(after)
if(NOT before STREQUAL after)
  message(FATAL_ERROR "changed:\n${before}\nto\n${after}")
endif()
get_cmake_property(cache CACHE_VARIABLES)
list(REMOVE_ITEM cache ${cache_before})
list(FILTER cache EXCLUDE REGEX
     "^(MTLCAP_|mtlcap_|FETCHCONTENT_|_?CMAKE_|_GNUInstallDirs_|FIND_PACKAGE_MESSAGE_)")
if(cache)
  message(FATAL_ERROR "new in the cache: ${cache}")
endif()
add_executable(program ../program.c)
target_link_libraries(program PRIVATE mtlcap::mtlcap)
add_executable(program-static ../program.c)
target_link_libraries(program-static PRIVATE mtlcap::static)
add_test(NAME ours COMMAND program)
if(APPLE)
  set(here "@loader_path")
else()
  set(here "$ORIGIN")
endif()
set_target_properties(program PROPERTIES INSTALL_RPATH "${here}/../lib")
install(TARGETS program program-static)
EOT
  } >"$work/$name/CMakeLists.txt"
}

check() { # NAME
  echo "== $1"
  build=$work/$1/build
  "$cmake" -S "$work/$1" -B "$build" -DCMAKE_C_COMPILER="$compiler" >"$work/$1.txt" 2>&1 || {
    cat "$work/$1.txt"
    fail "$1: it does not configure"
  }
  "$cmake" --build "$build" --parallel 2 >"$work/$1.build.txt" || {
    cat "$work/$1.build.txt"
    fail "$1: it does not build"
  }
  "$build/program" || fail "$1: program: exit status $?"
  "$build/program-static" || fail "$1: program-static: exit status $?"
  (cd "$build" && ctest -N) | grep -q '^Total Tests: 1$' || fail "$1: our tests are in it"
  "$cmake" --install "$build" --prefix "$work/$1/prefix" >"$work/$1.install.txt"
  [ "$(find "$work/$1/prefix" -type f -o -type l | wc -l)" = 2 ] || fail "$1: we are installed"
  "$work/$1/prefix/bin/program-static" || fail "$1: program-static, installed: exit status $?"
  if find "$build" -name 'mtlcap' -type f -perm -u+x -o -name '*inject*.so' -o -name '*inject*.dylib' \
    -o -name '*simmetal*.so' | grep .; then
    fail "$1: the files above are built unasked"
  fi
}

name=subdirectory
project $name "add_subdirectory(\"$source\" libmtlcap)"
check $name

# What is fetched is an archive, as of a release.
tar -C "$source" --exclude ./build --exclude ./.git -czf "$work/mtlcap.tar.gz" .
name=fetched
project $name "include(FetchContent)" "FetchContent_Declare(mtlcap URL \"$work/mtlcap.tar.gz\")" \
  "FetchContent_MakeAvailable(mtlcap)"
check $name

# It may ask to have us installed with it.
echo "== installed with it, without the injected library"
"$cmake" -S "$work/subdirectory" -B "$work/subdirectory/build" -DMTLCAP_INSTALL=ON >"$work/install.txt"
"$cmake" --build "$work/subdirectory/build" --parallel 2 >>"$work/install.txt"
"$cmake" --install "$work/subdirectory/build" --prefix "$work/prefix" >>"$work/install.txt"
"$work/prefix/bin/program" || fail "program, installed with it: exit status $?"
find "$work/prefix/share/doc" -type f | grep -v '/LICENSE$' && fail "the documents above are not asked for"
mkdir "$work/user"
cat >"$work/user/CMakeLists.txt" <<'EOT'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(mtlcap 0.1 REQUIRED)
if(NOT TARGET mtlcap::mtlcap OR TARGET mtlcap::inject)
  message(FATAL_ERROR "wrong targets")
endif()
find_package(mtlcap 0.1 COMPONENTS inject)
if(mtlcap_FOUND OR NOT mtlcap_NOT_FOUND_MESSAGE MATCHES "built without inject")
  message(FATAL_ERROR "inject: ${mtlcap_FOUND} ${mtlcap_NOT_FOUND_MESSAGE}")
endif()
EOT
"$cmake" -S "$work/user" -B "$work/user/build" -DCMAKE_C_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/user.txt" 2>&1 || {
  cat "$work/user.txt"
  fail "what is installed with it cannot be found"
}
