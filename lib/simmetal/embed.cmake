# Writes the machine files as C: cmake -D OUTPUT=FILE -D FOLDER=DIR -P embed.cmake
file(GLOB names RELATIVE "${FOLDER}" "${FOLDER}/*.ini")
list(TRANSFORM names REPLACE "\\.ini$" "")
list(SORT names)
set(texts "")
set(rows "")
set(count 0)
foreach(name IN LISTS names)
  file(READ "${FOLDER}/${name}.ini" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const char text${count}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", text${count}},\n")
  math(EXPR count "${count} + 1")
endforeach()
list(TRANSFORM names REPLACE "(.+)" "    \"\\1\",\n")
list(JOIN names "" names)
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
