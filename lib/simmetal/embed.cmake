# Writes the machine files as C: cmake -D OUTPUT=FILE -D FOLDER=DIR -P embed.cmake
file(GLOB files "${FOLDER}/*.ini")
list(SORT files)
set(texts "")
set(rows "")
set(names "")
set(count 0)
foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const char text${count}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", text${count}},\n")
  string(APPEND names "    \"${name}\",\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUTPUT}" "/* Generated from lib/simmetal/machines. */
#include \"machine_parse.h\"

${texts}
const struct simmetal_builtin simmetal_builtins[] = {
${rows}};
const size_t simmetal_builtin_count = ${count};

const char *const simmetal_builtin_names[] = {
${names}    NULL,
};
")
