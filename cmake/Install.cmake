# What `cmake --install` puts where. Everything finds the rest relative to itself: the tree can move.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/mtlcap DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS mtlcap_shared mtlcap_static EXPORT mtlcap)
if(MTLCAP_BUILD_INJECT)
  install(TARGETS mtlcap_inject EXPORT mtlcap)
  set(pc_inject "injectlibrary=\${libdir}/libmtlcap-inject${CMAKE_SHARED_LIBRARY_SUFFIX}")
endif()
# Documents, and the sources that they lead to, lie to each other as they do here, so that their links
# work. A project that has us as a part of it has its own.
set(documents
  LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md .github/actions/mtlcap/README.md
  bench/README.md bindings/python/README.md bindings/swift/README.md bindings/swig/calls.i
  bindings/swig/java.i bindings/swig/mtlcap.i bindings/swig/node.i bindings/swig/node/index.d.ts
  bindings/swig/ruby.i
  cmake/darwin/README.md.in include/mtlcap/mtlcap.h include/mtlcap/mtlcap.hpp
  lib/simmetal/README.md tests/macho/README.md)
if(NOT top_level)
  set(documents LICENSE)
endif()
foreach(document IN LISTS documents)
  get_filename_component(folder "${document}" DIRECTORY)
  install(FILES "${document}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}")
endforeach()
if(top_level)
  install(DIRECTORY docs examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" PATTERN docs/man EXCLUDE)

  # Manual pages. That of the API is also the page of each function.
  install(FILES docs/man/mtlcap.3 DESTINATION "${CMAKE_INSTALL_MANDIR}/man3")
  file(STRINGS lib/exports.txt functions)
  foreach(function ${functions})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/man/${function}.3" CONTENT ".so man3/mtlcap.3\n")
    install(FILES "${PROJECT_BINARY_DIR}/man/${function}.3"
            DESTINATION "${CMAKE_INSTALL_MANDIR}/man3")
  endforeach()
endif()

if(MTLCAP_BUILD_COMMAND)
  file(RELATIVE_PATH bin_to_lib "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  if(APPLE)
    set_target_properties(mtlcap_cli PROPERTIES INSTALL_RPATH "@executable_path/${bin_to_lib}")
  else()
    set_target_properties(mtlcap_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  endif()
  install(TARGETS mtlcap_cli EXPORT mtlcap)
  file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
  install(FILES ${pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  # Where each shell looks for them.
  set(completions tools/completions)
  install(FILES ${completions}/mtlcap.bash RENAME mtlcap
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES ${completions}/_mtlcap DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES ${completions}/mtlcap.fish
          DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

# pkg-config: absolute only where the folder of libraries is.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH pc_to_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
  set(pc_prefix "\${pcfiledir}/${pc_to_prefix}")
endif()
foreach(directory LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${directory}}")
    set(pc_${directory} "${CMAKE_INSTALL_${directory}}")
  else()
    set(pc_${directory} "\${prefix}/${CMAKE_INSTALL_${directory}}")
  endif()
endforeach()
if(APPLE)
  set(pc_libs_private "-lobjc")
else()
  set(pc_libs_private "-pthread -ldl")
endif()
set(pc_files mtlcap)
if(MTLCAP_BUILD_SIMMETAL)
  list(APPEND pc_files simmetal)
endif()
foreach(pc ${pc_files})
  configure_file(pkgconfig/${pc}.pc.in "${PROJECT_BINARY_DIR}/${pc}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${pc}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

# CMake package: see cmake/mtlcapConfig.cmake.in.
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/mtlcap")
install(EXPORT mtlcap NAMESPACE mtlcap:: DESTINATION "${package_folder}"
        FILE mtlcapTargets.cmake)
configure_package_config_file(cmake/mtlcapConfig.cmake.in
  "${PROJECT_BINARY_DIR}/mtlcapConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mtlcapConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mtlcapConfig.cmake"
              "${PROJECT_BINARY_DIR}/mtlcapConfigVersion.cmake"
        DESTINATION "${package_folder}")
