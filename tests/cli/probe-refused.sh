. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
transcript probe -p lume
transcript probe -p lume --allow beyond-hardware
transcript probe -p apple.min=9
transcript probe -p auto,metal.min=3
transcript probe --diff auto apple.min=9
"$MTLCAP" probe -p lume --allow beyond-hardware+threadgroup-memory |
  grep 'apple \|threadgroup_memory '
