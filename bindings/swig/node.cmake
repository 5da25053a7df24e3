# The package for Node. Its addon needs the headers of Node and those of node-addon-api.
find_program(NODE node REQUIRED)
execute_process(
  COMMAND ${NODE} -p "require('path').resolve(process.execPath, '../../include/node')"
  OUTPUT_VARIABLE node_headers OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_path(NODE_INCLUDE node_api.h HINTS "${node_headers}" PATH_SUFFIXES node REQUIRED)
find_path(NODE_ADDON_API napi.h REQUIRED
  HINTS node_modules/node-addon-api /usr/share/nodejs/node-addon-api
  DOC "Folder of node-addon-api's napi.h")

mtlcap_swig_module(node javascript node/mtlcap -napi)
set_target_properties(mtlcap_node PROPERTIES SUFFIX .node)
target_include_directories(mtlcap_node SYSTEM PRIVATE "${NODE_INCLUDE}" "${NODE_ADDON_API}")
target_compile_definitions(mtlcap_node PRIVATE NODE_GYP_MODULE_NAME=mtlcap)

foreach(file index.js index.d.ts)
  configure_file(node/${file} ${CMAKE_CURRENT_BINARY_DIR}/node/mtlcap/${file} COPYONLY)
endforeach()
configure_file(node/package.json ${CMAKE_CURRENT_BINARY_DIR}/node/mtlcap/package.json @ONLY)
configure_file(../../LICENSE ${CMAKE_CURRENT_BINARY_DIR}/node/mtlcap/LICENSE COPYONLY)
