# Colour on a terminal only, and neither under NO_COLOR nor on a dumb one.
coloured() {
  if grep -q "$(printf '\033')" "$1"; then echo "$2: colour"; else echo "$2: plain"; fi
}
on_terminal() {
  script -qec "'$MTLCAP' $1" /dev/null >out.txt </dev/null
}
TERM=xterm
export TERM
on_terminal 'probe -p auto'
coloured out.txt terminal
on_terminal 'profiles list'
coloured out.txt 'terminal, list'
on_terminal 'probe --json'
coloured out.txt 'terminal, JSON'
"$MTLCAP" probe -p auto >out.txt
coloured out.txt file
NO_COLOR=1 on_terminal 'probe -p auto'
coloured out.txt NO_COLOR
NO_COLOR='' on_terminal 'probe -p auto'
coloured out.txt 'empty NO_COLOR'
TERM=dumb on_terminal 'probe -p auto'
coloured out.txt 'dumb terminal'
