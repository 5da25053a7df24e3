"$MTLCAP" profiles >default.txt
"$MTLCAP" profiles list | cmp - default.txt
sed '/^ /d; s/ .*//' default.txt
# Each has a summary on its line, and its rules below.
awk '/^[^ ]/ {if (NF < 3) print "no summary: " $0; if (open) print "no rules above: " $0; open = 1}
     /^ / {open = 0}
     length > 105 {print "too wide: " $0}' default.txt
"$MTLCAP" profiles list | sed -n '/^lume/,/^github/p'
