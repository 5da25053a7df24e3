# A toolchain with which llama-cpp-python builds, unmodified, for the simulated Metal. build.py sets
# the variables of the environment: what cmake/ObjectiveC.cmake has found, the simulation's headers
# and its library, and a folder for what is made here.
set(work "$ENV{TEST_WORK}")
set(CMAKE_C_COMPILER "$ENV{TEST_CLANG}")
set(CMAKE_CXX_COMPILER g++)
set(CMAKE_ASM_COMPILER "${CMAKE_CURRENT_LIST_DIR}/assemble.sh")

# Clang's stdatomic.h goes on to GCC's if that is anywhere on the path: link to the runtime's
# headers alone.
file(MAKE_DIRECTORY "${work}/runtime/objc" "${work}/frameworks")
file(GLOB headers RELATIVE "$ENV{TEST_OBJC_INCLUDE}/objc" "$ENV{TEST_OBJC_INCLUDE}/objc/*.h")
foreach(header ${headers})
  file(CREATE_LINK "$ENV{TEST_OBJC_INCLUDE}/objc/${header}" "${work}/runtime/objc/${header}"
       SYMBOLIC)
endforeach()

# .m files are C to CMake, where Objective-C is not enabled.
string(JOIN " " CMAKE_C_FLAGS_INIT
  -w -Qunused-arguments -fobjc-runtime=gnustep-1.6 -fobjc-legacy-dispatch -fblocks -fexceptions
  -fobjc-exceptions -pthread -fconstant-string-class=NSConstantString
  -DGNUSTEP -DGNUSTEP_BASE_LIBRARY=1 -D_NATIVE_OBJC_EXCEPTIONS -D_GNU_SOURCE
  "-I$ENV{TEST_METAL_INCLUDE}" -isystem "$ENV{TEST_FOUNDATION_INCLUDE}" -isystem "${work}/runtime")
set(CMAKE_CXX_FLAGS_INIT "-w -include vector -include memory") # as libc++ brings along
set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O0 -DNDEBUG" CACHE STRING "") # most of the time goes into compiling it
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,--no-as-needed")

# What its find_library calls look for: the simulation first, whose functions replace others'.
foreach(framework Foundation Metal MetalKit)
  file(WRITE "${work}/frameworks/lib${framework}.so" "INPUT($ENV{TEST_LIBRARIES})\n")
endforeach()
set(CMAKE_LIBRARY_PATH "${work}/frameworks")
