# Fetches the clients and compiles what does not depend on a preset; does nothing when all is done.
#
#   cmake -D CLIENTS=FOLDER -D SOURCE=REPOSITORY -D CLANG=FILE -D PYTHON=FILE -P build_clients.cmake
cmake_minimum_required(VERSION 3.22)

file(MAKE_DIRECTORY "${CLIENTS}")
# Another preset may be at the same work.
file(LOCK "${CLIENTS}" DIRECTORY GUARD PROCESS TIMEOUT 1200)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed")
  endif()
endfunction()

run("Fetching the clients" "${PYTHON}" "${SOURCE}/tests/clients/fetch.py" "${CLIENTS}")

# Configure once, and anew if the repository has moved; the build does so by itself after changes.
set(source "${SOURCE}/tests/clients/llama")
set(build "${CLIENTS}/llama")
if(EXISTS "${build}/CMakeCache.txt")
  file(STRINGS "${build}/CMakeCache.txt" home REGEX "^CMAKE_HOME_DIRECTORY:INTERNAL=")
  if(NOT home STREQUAL "CMAKE_HOME_DIRECTORY:INTERNAL=${source}")
    file(REMOVE_RECURSE "${build}")
  endif()
endif()
if(NOT EXISTS "${build}/build.ninja" AND NOT EXISTS "${build}/Makefile")
  file(REMOVE_RECURSE "${build}") # what a configuration that failed has left
  find_program(ninja NAMES ninja ninja-build)
  if(ninja)
    set(generator Ninja)
  else()
    set(generator "Unix Makefiles")
  endif()
  run("Configuring llama.cpp" "${CMAKE_COMMAND}" -G ${generator} -S "${source}" -B "${build}"
      -D "LLAMA_SOURCE=${CLIENTS}/llama.cpp" -D "MTLCAP_SOURCE=${SOURCE}"
      -D "MTLCAP_CLANG=${CLANG}" -D "Python3_EXECUTABLE=${PYTHON}" -Wno-dev)
endif()
run("Compiling llama.cpp" "${CMAKE_COMMAND}" --build "${build}" --parallel 2)
