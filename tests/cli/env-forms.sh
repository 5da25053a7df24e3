# The forms that are not a shell's of this machine: fish, JSON, launchd.
. "$CASES/common"
cp "$PLAIN" plain
name="it's\\a <b> & \"c\""
unset LD_PRELOAD
echo "-- fish"
"$MTLCAP" env --format fish -p auto --library "$INJECT" --receipt "$name" |
  sed "s|$PWD/|HERE/|; s|$INJECT|INJECT|"
MTLCAP_ALLOW=x LD_PRELOAD=/one.so "$MTLCAP" env --format fish --strip 2>/dev/null
if command -v fish >/dev/null; then # it reads them as they were meant
  "$MTLCAP" env --format fish -p auto --library "$INJECT" --receipt "$name" >set.fish
  fish -c 'source set.fish; printf "%s\n" $MTLCAP_RECEIPT' >read
  printf '%s\n' "$PWD/$name" | cmp - read
fi
echo "-- JSON"
json() {
  "$PYTHON" -c 'import json, sys
for name, value in json.load(sys.stdin).items(): print(name, "=", value)' |
    sed "s|$PWD/|HERE/|; s|$INJECT|INJECT|"
}
MTLCAP_ONLY=x "$MTLCAP" env --format json -p auto --library "$INJECT" --receipt "$name" 2>json.err | json
cat json.err
MTLCAP_ALLOW=x "$MTLCAP" env --format json --strip | json
printf 'x\377' >bytes
transcript env --format json --receipt "$(cat bytes)" | tail -2 | sed "s|$(cat bytes)|BYTES|"
echo "-- launchd"
plist() {
  "$PYTHON" -c 'import plistlib, sys
def show(value, indent=""):
    for key, item in value.items():
        if isinstance(item, dict):
            print(indent + key); show(item, indent + "  ")
        else:
            print(indent + key, "=", item)
show(plistlib.loads(sys.stdin.buffer.read()))' | sed "s|$PWD/|HERE/|g; s|$INJECT|INJECT|g"
}
printf '#!/usr/bin/env -S A=1 ./plain\n' >script
chmod +x script
LD_PRELOAD='' MTLCAP_ONLY=x "$MTLCAP" env --launchd 'org.example.<&>' -p auto --library "$INJECT" \
  --receipt "$name" -- ./script 'a & b' '<c>' '' | plist
"$MTLCAP" env --format launchd --launchd x --library "$INJECT" -- ./plain | head -6 | sed "s|$PWD/|HERE/|g"
transcript env --launchd x -- ./plain "$(printf 'a\001b')" | sed "s|./plain .*|./plain ...|"
transcript env --launchd x -- ./plain "$(printf 'a\357\277\277b')" | sed "s|./plain .*|./plain ...|"
printf 'x\357\277\276\n' >text
"$MTLCAP" env --format json --library "$INJECT" --receipt "$(cat text)" 2>/dev/null | json | grep -c "$(cat text)"
mkdir bin
printf '#!/usr/bin/env script.interpreter\n' >bin/relative
cp plain bin/script.interpreter
chmod +x bin/relative
PATH=bin:$PATH "$MTLCAP" env --launchd x --library "$INJECT" -- relative a | plist | sed '/^Environment/,$d'
MTLCAP_DISABLE=on "$MTLCAP" env --launchd x --library "$INJECT" -- ./plain | plist | grep DISABLE
transcript env --launchd x -- ./nothing | sed "s|$PWD/|HERE/|"
