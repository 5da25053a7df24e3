# mtlcap.jar, its sources, and its native part, libmtlcapjni. CMake's FindJNI also wants AWT, which a JDK without a
# display has not.
find_package(Java 11 QUIET COMPONENTS Development)
if(NOT Java_FOUND)
  mtlcap_swig_missing("a JDK, 11 or later," "install one, or set JAVA_HOME" java)
endif()
file(REAL_PATH "${Java_JAVAC_EXECUTABLE}" javac)
get_filename_component(jdk "${javac}/../.." ABSOLUTE)
find_path(JNI_INCLUDE jni.h HINTS "${jdk}/include")
find_path(JNI_MACHINE_INCLUDE jni_md.h HINTS "${JNI_INCLUDE}/linux" "${JNI_INCLUDE}/darwin")
if(NOT JNI_INCLUDE OR NOT JNI_MACHINE_INCLUDE)
  mtlcap_swig_missing("${jdk}/include/jni.h" "install the JDK itself, or pass -DJNI_INCLUDE=FOLDER" java)
endif()

mtlcap_swig_module(java java java -package dev.mtlcap)
set_target_properties(mtlcap_java PROPERTIES
  OUTPUT_NAME mtlcapjni PREFIX lib SUFFIX ${CMAKE_SHARED_LIBRARY_SUFFIX})
target_include_directories(mtlcap_java SYSTEM PRIVATE "${JNI_INCLUDE}" "${JNI_MACHINE_INCLUDE}")

set(generated ${CMAKE_CURRENT_BINARY_DIR}/java.generated)
set(classes ${CMAKE_CURRENT_BINARY_DIR}/java.classes)
set(sources ${CMAKE_CURRENT_BINARY_DIR}/java.sources)
set(meta ${CMAKE_CURRENT_BINARY_DIR}/java.meta)
set(maven META-INF/maven/dev.mtlcap/mtlcap)
configure_file(java/MANIFEST.MF ${meta}/MANIFEST.MF @ONLY)
configure_file(java/pom.xml ${meta}/${maven}/pom.xml @ONLY)
file(WRITE ${meta}/${maven}/pom.properties
  "groupId=dev.mtlcap\nartifactId=mtlcap\nversion=${mtlcap_VERSION}\n")
configure_file(../../LICENSE ${meta}/META-INF/LICENSE COPYONLY)
add_custom_command(
  OUTPUT java/mtlcap.jar java/mtlcap-sources.jar
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${classes} ${sources}
  COMMAND ${Java_JAVAC_EXECUTABLE} --release 11 -Xlint:all,-serial -Werror -d ${classes}
          ${generated}/*.java
  COMMAND ${Java_JAR_EXECUTABLE} --create --file java/mtlcap.jar --manifest ${meta}/MANIFEST.MF
          -C ${classes} . -C ${meta} META-INF
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${generated} ${sources}/dev/mtlcap
  COMMAND ${Java_JAR_EXECUTABLE} --create --file java/mtlcap-sources.jar -C ${sources} dev
  DEPENDS mtlcap_java ${meta}/MANIFEST.MF ${meta}/${maven}/pom.xml
  COMMENT "Building java/mtlcap.jar")
add_custom_target(mtlcap_jar ALL DEPENDS java/mtlcap.jar)
