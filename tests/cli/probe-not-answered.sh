# A device that does not have most questions, on a machine of which nothing is known.
. "$CASES/common"
export LD_LIBRARY_PATH="$TINY"
"$MTLCAP" probe >out.txt
sed -n '1,4p' out.txt
grep ' apple \| name \| threadgroup_memory \| raytracing \| working_set ' out.txt | sed 's|^\(.\{64\}\).*|\1|; s| *$||'
grep -q 'not answered' out.txt || echo "all is answered"
valid_json probe --json
json 'probe["machine"]'
json '[d["name"] for d in probe["devices"]]'
json '{key: a["stock"] for key, a in probe["devices"][0]["capabilities"].items() if a}'
json 'probe["devices"][0]["capabilities"]["raytracing"]'
"$MTLCAP" probe -p apple.max=4,metal=off --expect raytracing=off --expect raytracing!=off \
  >out.txt 2>err.txt
echo "exit code $?"
grep expected err.txt
grep ' apple \| metal \| raytracing \|^[^ ].*\.$' out.txt
"$MTLCAP" profiles capture
transcript profiles check threadgroup_memory.max=32K
# What it cannot be made to answer is refused; a no holds already.
transcript probe -p raytracing=on --allow feature | sed 's/\(raytracing\) .*/\1 .../'
transcript profiles check raytracing=on --allow feature | sed 's/\(refused: raytracing\) .*/\1 .../'
"$MTLCAP" probe -p raytracing=off >out.txt
echo "exit code $?"
