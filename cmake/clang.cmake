# Toolchain file: clang, by version first, since a plain `clang` may be another tool's own copy.
find_program(CMAKE_C_COMPILER NAMES clang-19 clang-22 clang-21 clang-20 clang-18 clang-17 clang-16
                                    clang-15 clang-14 clang REQUIRED)
string(REGEX REPLACE "clang([^/]*)$" "clang++\\1" cxx "${CMAKE_C_COMPILER}")
find_program(CMAKE_CXX_COMPILER NAMES "${cxx}")
