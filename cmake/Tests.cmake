# mtlcap_add_test(NAME name [SOURCES file...] [LIBRARIES target...] [COMMAND command argument...]
#                 [SIMMETAL] [ENVIRONMENT name=value...] [TIMEOUT seconds])
#
# Builds a cmocka program from SOURCES, linked with the library's objects (or with LIBRARIES), and
# registers it; with COMMAND, registers that instead, after building SOURCES if there are any.
# SIMMETAL: links the simulated Metal, as a program on a Mac links Metal. The program's target is
# `name` with dots as underscores, prefixed by test_. A skipped cmocka test fails: nothing that can
# run here may be left out in silence.
#
# mtlcap_not_run(name reason) lists a test that cannot run here; tests/run.sh prints the list.

set(MTLCAP_TEST_PREFIX "" CACHE STRING "Prefix of the names of tests, to tell presets apart")

function(mtlcap_add_test)
  cmake_parse_arguments(arg "SIMMETAL" "NAME;TIMEOUT" "SOURCES;LIBRARIES;COMMAND;ENVIRONMENT"
                        ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT (arg_SOURCES OR arg_COMMAND))
    message(FATAL_ERROR "mtlcap_add_test(${ARGN}): see cmake/Tests.cmake")
  endif()
  if(arg_SIMMETAL AND NOT TARGET simmetal)
    mtlcap_not_run(${arg_NAME} "needs the simulated Metal")
    return()
  endif()

  if(arg_SOURCES)
    string(REPLACE "." "_" target "test_${arg_NAME}")
    add_executable(${target} ${arg_SOURCES})
    # CMake's Linux knows how to link C, not how to link Objective-C.
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
    if(NOT arg_LIBRARIES)
      set(arg_LIBRARIES mtlcap_objects)
    endif()
    target_include_directories(${target} SYSTEM PRIVATE ${CMOCKA_INCLUDE_DIR})
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} ${CMOCKA_LIBRARIES})
    if(arg_SIMMETAL)
      target_link_libraries(${target} PRIVATE simmetal)
    endif()
    if(NOT arg_COMMAND)
      set(arg_COMMAND ${target})
    endif()
  endif()

  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set(test "${MTLCAP_TEST_PREFIX}${arg_NAME}")
  add_test(NAME ${test} COMMAND ${arg_COMMAND})
  set_tests_properties(${test} PROPERTIES
    TIMEOUT ${arg_TIMEOUT}
    ENVIRONMENT "${MTLCAP_TEST_ENVIRONMENT};${arg_ENVIRONMENT}"
    FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
endfunction()

# What every test runs with.
set(MTLCAP_TEST_ENVIRONMENT "NO_COLOR=1")
if(MTLCAP_SANITIZE)
  list(APPEND MTLCAP_TEST_ENVIRONMENT
    "UBSAN_OPTIONS=print_stacktrace=1"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0"
    "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
endif()

set(mtlcap_not_run_file "${PROJECT_BINARY_DIR}/tests-not-run.txt")
file(WRITE "${mtlcap_not_run_file}" "")
function(mtlcap_not_run name reason)
  file(APPEND "${mtlcap_not_run_file}" "${MTLCAP_TEST_PREFIX}${name}: ${reason}\n")
endfunction()
