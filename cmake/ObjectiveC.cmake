# Objective-C for the simulated Metal: clang 14 or later, whatever compiles the C, since the sources
# of real Metal clients need blocks and @available, which GCC does not have.
if(NOT CMAKE_OBJC_COMPILER)
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 14)
    set(CMAKE_OBJC_COMPILER "${CMAKE_C_COMPILER}" CACHE FILEPATH "Objective-C compiler")
  else()
    find_program(CMAKE_OBJC_COMPILER NAMES clang-19 clang-22 clang-21 clang-20 clang-18 clang-17
                                           clang-16 clang-15 clang-14 clang)
  endif()
endif()
if(NOT CMAKE_OBJC_COMPILER)
  message(FATAL_ERROR "The simulated Metal needs clang 14 or later: install it "
                      "(sh scripts/setup.sh), or configure with -DMTLCAP_BUILD_SIMMETAL=OFF")
endif()
enable_language(OBJC)
if(NOT CMAKE_OBJC_COMPILER_ID STREQUAL "Clang" OR CMAKE_OBJC_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "The simulated Metal needs clang 14 or later, but ${CMAKE_OBJC_COMPILER} is "
                      "${CMAKE_OBJC_COMPILER_ID} ${CMAKE_OBJC_COMPILER_VERSION}; "
                      "say which with -DCMAKE_OBJC_COMPILER=...")
endif()
