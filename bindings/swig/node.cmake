# The package for Node. Its addon needs the headers of Node and those of node-addon-api.
find_program(NODE node)
if(NOT NODE)
  mtlcap_swig_missing(node "install it, or pass -DNODE=FILE" node)
endif()
execute_process(
  COMMAND ${NODE} -p "require('path').resolve(process.execPath, '../../include/node')"
  OUTPUT_VARIABLE node_headers OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_path(NODE_INCLUDE node_api.h HINTS "${node_headers}" PATH_SUFFIXES node)
if(NOT NODE_INCLUDE)
  mtlcap_swig_missing("Node's node_api.h" "apt install libnode-dev, or pass -DNODE_INCLUDE=FOLDER" node)
endif()
find_path(NODE_ADDON_API napi.h
  HINTS node_modules/node-addon-api /usr/share/nodejs/node-addon-api
  DOC "Folder of node-addon-api's napi.h")
if(NOT NODE_ADDON_API)
  mtlcap_swig_missing("node-addon-api's napi.h"
    "npm install node-addon-api in ${CMAKE_CURRENT_SOURCE_DIR}, apt install node-addon-api, or pass \
-DNODE_ADDON_API=FOLDER" node)
endif()

mtlcap_swig_module(node javascript node/mtlcap -napi)
set_target_properties(mtlcap_node PROPERTIES SUFFIX .node)
target_include_directories(mtlcap_node SYSTEM PRIVATE "${NODE_INCLUDE}" "${NODE_ADDON_API}")
target_compile_definitions(mtlcap_node PRIVATE NODE_GYP_MODULE_NAME=mtlcap)

foreach(file index.js index.d.ts)
  configure_file(node/${file} ${CMAKE_CURRENT_BINARY_DIR}/node/mtlcap/${file} COPYONLY)
endforeach()
configure_file(node/package.json ${CMAKE_CURRENT_BINARY_DIR}/node/mtlcap/package.json @ONLY)
configure_file(../../LICENSE ${CMAKE_CURRENT_BINARY_DIR}/node/mtlcap/LICENSE COPYONLY)
