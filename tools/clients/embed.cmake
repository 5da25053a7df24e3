# Writes the files of rules as C: cmake -D OUTPUT=FILE -D FOLDER=DIR -P embed.cmake
file(GLOB files RELATIVE "${FOLDER}" "${FOLDER}/*.rules")
list(SORT files)
set(texts "")
set(rows "")
set(count 0)
foreach(file IN LISTS files)
  file(READ "${FOLDER}/${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const char text${count}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${file}\", text${count}, sizeof text${count} - 1},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUTPUT}" "/* Generated from tools/clients. */
#include \"explain.h\"

${texts}
const struct explain_builtin explain_builtins[] = {
${rows}};
const size_t explain_builtin_count = ${count};
")
