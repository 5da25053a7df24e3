# Objective-C off a Mac: clang, GCC's libobjc and GNUstep's Foundation. GCC has no blocks, so the
# rest of the project may be built by GCC, but this may not.
#
# Gives the language OBJC and the target mtlcap_objc, with the flags that Objective-C sources need
# and the libraries in the order in which they must be linked. Include it in each folder that has
# such sources.

if(NOT MTLCAP_CLANG)
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 14)
    set(clang "${CMAKE_C_COMPILER}")
  else()
    find_program(clang NAMES clang-19 clang-20 clang-18 clang-17 clang-16 clang-15 clang-14 clang
                 NO_CACHE)
  endif()
  set(MTLCAP_CLANG "${clang}" CACHE FILEPATH "clang 14 or newer, for Objective-C")
endif()
if(NOT MTLCAP_CLANG)
  message(FATAL_ERROR "No clang 14 or newer was found: install one (Debian: clang-19) or set MTLCAP_CLANG")
endif()
set(CMAKE_OBJC_COMPILER "${MTLCAP_CLANG}")

enable_language(OBJC)
if(NOT CMAKE_OBJC_COMPILER_ID STREQUAL "Clang" OR CMAKE_OBJC_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "${MTLCAP_CLANG} is ${CMAKE_OBJC_COMPILER_ID} ${CMAKE_OBJC_COMPILER_VERSION}; "
                      "Objective-C needs clang 14 or newer")
endif()
set(CMAKE_OBJC_STANDARD 11)
set(CMAKE_OBJC_EXTENSIONS ON)

find_package(Threads REQUIRED)
if(TARGET mtlcap_objc)
  return()
endif()

# The runtime's headers lie beside GCC's own, which clang must not see: reach them by a link.
file(GLOB gcc_folders /usr/lib/gcc/*/*)
list(SORT gcc_folders COMPARE NATURAL ORDER DESCENDING)
find_path(objc_include objc/runtime.h HINTS ${gcc_folders} PATH_SUFFIXES include NO_CACHE)
find_library(objc_library objc HINTS ${gcc_folders} NO_CACHE)
find_path(foundation_include Foundation/Foundation.h PATH_SUFFIXES GNUstep NO_CACHE)
find_library(blocks_library BlocksRuntime NO_CACHE)
find_library(foundation_library gnustep-base NO_CACHE)
foreach(part objc_include foundation_include objc_library blocks_library foundation_library)
  if(NOT ${part})
    message(FATAL_ERROR "Objective-C: ${part} was not found (Debian: gobjc, libgnustep-base-dev, "
                        "libblocksruntime-dev)")
  endif()
endforeach()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/objc_include)
file(CREATE_LINK "${objc_include}/objc" ${PROJECT_BINARY_DIR}/objc_include/objc SYMBOLIC)

add_library(mtlcap_objc INTERFACE)
target_compile_options(mtlcap_objc INTERFACE
  -fobjc-runtime=gcc -fblocks -fexceptions -fobjc-exceptions -pthread
  -fconstant-string-class=NSConstantString
  # Valgrind 3.19 cannot read clang's newer debug information.
  -fdebug-default-version=4
  # A method has the parameters that its selector says, and is called by casting IMP.
  -Wno-unused-parameter -Wno-cast-function-type-mismatch -Wno-gnu-conditional-omitted-operand
  # Messages are calls of functions whose type the caller knows better than the compiler.
  -fno-sanitize=function)
target_include_directories(mtlcap_objc SYSTEM INTERFACE
  "${foundation_include}" ${PROJECT_BINARY_DIR}/objc_include)
target_compile_definitions(mtlcap_objc INTERFACE
  GNUSTEP GNUSTEP_BASE_LIBRARY=1 _NATIVE_OBJC_EXCEPTIONS _GNU_SOURCE)
# libgnustep-base has a _Block_copy too, which leaves blocks on the stack: it must not come first.
target_link_libraries(mtlcap_objc INTERFACE
  "${blocks_library}" "${foundation_library}" "${objc_library}" Threads::Threads ${CMAKE_DL_LIBS})
