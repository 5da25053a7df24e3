# Every capability that probe shows has a line.
"$MTLCAP" help keys >keys.txt
"$MTLCAP" probe --json | sed -n 's/^        "\([a-z0-9_]*\)": .*/\1/p' >probed.txt
while read -r key; do
  grep -q "^$key  *[A-Za-z0-9:]* .* [a-z]" keys.txt || echo "missing: $key"
done <probed.txt
[ "$(wc -l <probed.txt)" -gt 40 ] || echo "too few keys"
head -1 keys.txt
grep '^apple \|^threadgroup_memory \|^argument_buffers \|^working_set \|^name ' keys.txt
