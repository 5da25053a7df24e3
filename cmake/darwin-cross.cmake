# Toolchain file: builds for macOS 11 on Linux, with clang, LLVM's linker and the folder that
# cmake/darwin/sdk.py makes; a processor a build. scripts/macos.sh uses it twice and joins the two.
#
#     cmake --toolchain cmake/darwin-cross.cmake -DMTLCAP_DARWIN_SDK=FOLDER
#           -DMTLCAP_DARWIN_PROCESSOR=arm64 (or x86_64) ...
#
# One version of the tools, since another writes other bytes.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MTLCAP_DARWIN_SDK MTLCAP_DARWIN_PROCESSOR)
if(NOT MTLCAP_DARWIN_PROCESSOR MATCHES "^(arm64|x86_64)$")
  # arm64e: LLVM's linker takes it, and writes plain arm64 without pointer authentication.
  message(FATAL_ERROR "MTLCAP_DARWIN_PROCESSOR is \"${MTLCAP_DARWIN_PROCESSOR}\"; it can be arm64 "
                      "or x86_64. An arm64e slice needs Apple's linker.")
endif()
if(NOT EXISTS "${MTLCAP_DARWIN_SDK}/SDKSettings.json")
  message(FATAL_ERROR "MTLCAP_DARWIN_SDK is \"${MTLCAP_DARWIN_SDK}\", where no SDK is; make one "
                      "with: python3 cmake/darwin/sdk.py FOLDER")
endif()

set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR "${MTLCAP_DARWIN_PROCESSOR}")
set(CMAKE_OSX_ARCHITECTURES "${MTLCAP_DARWIN_PROCESSOR}")
set(CMAKE_OSX_DEPLOYMENT_TARGET 11.0)
set(CMAKE_OSX_SYSROOT "${MTLCAP_DARWIN_SDK}")
set(CMAKE_FIND_ROOT_PATH "${MTLCAP_DARWIN_SDK}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(CMAKE_C_COMPILER clang-19 REQUIRED)
find_program(CMAKE_AR llvm-ar-19 REQUIRED)
find_program(CMAKE_RANLIB llvm-ranlib-19 REQUIRED)
find_program(CMAKE_STRIP llvm-strip-19 REQUIRED)
find_program(CMAKE_NM llvm-nm-19 REQUIRED)
find_program(CMAKE_OTOOL llvm-otool-19 REQUIRED)
find_program(CMAKE_INSTALL_NAME_TOOL llvm-install-name-tool-19 REQUIRED)
set(CMAKE_C_COMPILER_TARGET "${MTLCAP_DARWIN_PROCESSOR}-apple-macos11")

# The path of the sources is nobody's business, and would make two builds differ.
get_filename_component(source "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
set(CMAKE_C_FLAGS_INIT "\"-ffile-prefix-map=${source}=.\" -Werror=unguarded-availability-new")
# x86_64 is not signed by default. Local symbols are left out of libraries: they are a sixth of the
# file, and a build without -x has them, at the same addresses.
#
# The command says a newer SDK than it is built with: what Metal compiles for a program depends on that
# number, and hazards of old ones (old-sdk-bf16) are not the command's. dyld's rules up to that SDK are
# tested.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-fuse-ld=lld -Wl,-adhoc_codesign -Wl,-platform_version,macos,11.0,14.0")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-fuse-ld=lld -Wl,-adhoc_codesign -Wl,-x")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "${CMAKE_SHARED_LINKER_FLAGS_INIT}")
# Nothing is edited, and signed anew, when installed.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_BUILD_WITH_INSTALL_NAME_DIR ON)
# What follows CMake would set anew after this file, so it is read once more then.
set(CMAKE_USER_MAKE_RULES_OVERRIDE "${CMAKE_CURRENT_LIST_FILE}")
# Run-time paths: CMake believes in them after it has asked this machine which macOS it is.
set(CMAKE_SHARED_LIBRARY_RUNTIME_C_FLAG "-Wl,-rpath,")
# Room in the header for a longer name or two, not 1 KiB a library.
set(CMAKE_SHARED_LIBRARY_CREATE_C_FLAGS "-dynamiclib -Wl,-headerpad,200")
# It is loaded into others' programs: small. The hooks come out the same as with -Os.
set(CMAKE_C_FLAGS_MINSIZEREL_INIT "-Oz -DNDEBUG")
# CMake's test of threads uses more than the SDK lets it.
set(CMAKE_HAVE_LIBC_PTHREAD ON)
