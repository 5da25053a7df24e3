# The name of a profile's file can hold any byte: quotes, control characters, what is no UTF-8.
. "$CASES/common"
name=$(printf 'a"b\\c\td\001e\177f \303\251 \360\237\216\256 \377 \303 \355\240\200 \300\257.mtlcap')
echo stock >"$name"
valid_json probe --json -p "@$name"
json 'ascii(probe["profile"])'
# For people, control characters are shown, not sent to the terminal.
"$MTLCAP" probe -p "@$name" | sed -n 's/^profile: //p' | LC_ALL=C tr -d '\200-\377'
