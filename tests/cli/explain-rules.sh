# A client of one's own, and files that are wrong.
. "$CASES/common"
cat >mine.rules <<'R'
[client]
name = my-app
versions = 2.1
source = https://example.com
device = any
asks = at its start
good = would draw by mesh shaders
[same]
name = my-other-app
versions = 3
source = https://example.com
differs = It is green.
[feature]
name = meshes
what = mesh shaders
needs = apple>=7 and macos>=13
  or metal>=3 and raytracing=on
off = would draw by vertex shaders
decides = yes
source = Renderer.swift
basis = read
[feature]
name = old
what = what no device has
needs = never
off = would do without
source = Renderer.swift
basis = read
R
transcript explain --rules mine.rules
transcript explain my-other-app --rules mine.rules -p auto
transcript explain llama.cpp --rules mine.rules
transcript explain --rules mine.rules --require meshes --require old -p auto
sed 's/apple>=7/aple>=7/' mine.rules >wrong.rules
transcript explain --rules wrong.rules
sed 's/basis = read/basis = guess/' mine.rules >wrong.rules
transcript explain --rules wrong.rules
transcript explain --rules nothing.rules
: >empty.rules
transcript explain --rules empty.rules
# All that are built in can be explained on every machine.
for machine in $("$MTLCAP" help machines | sed -n 's/^  \([a-z0-9-]*\)$/\1/p'); do
  SIMMETAL_DEVICES=$machine "$MTLCAP" explain >out.txt 2>err.txt || echo "$machine: exit code $?"
  sed '/the GPU is simulated/d; /no Metal device/d' err.txt
done
