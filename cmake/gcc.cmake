# Toolchain file: GCC.
find_program(CMAKE_C_COMPILER NAMES gcc REQUIRED)
