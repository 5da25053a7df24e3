. "$CASES/common"
transcript
transcript prob
transcript frobnicate
transcript --colour
transcript probe auto
transcript probe --jsn
transcript probe --xyzzy
transcript probe -x
transcript probe --json=yes
transcript probe -p
transcript probe -p --json
transcript probe -p ''
transcript probe -p auto -p stock
transcript probe --allow metal
transcript probe -p auto --allow mettal
transcript probe -p auto --allow metal+
transcript probe -p auto --allow metal,mac
transcript probe -p auto --allow metal --allow mac
transcript probe --device 0 --device 0
transcript probe --device one
transcript probe --device=-1
transcript probe --device 99999999999999999999
transcript probe --diff auto
transcript probe --diff auto stock --diff auto stock
transcript probe --diff=auto stock
transcript probe --diff auto stock -p auto
transcript probe --diff auto stock --expect apple=7
transcript profiles lst
transcript profiles frobnicate
transcript profiles list auto
transcript profiles show
transcript profiles show aut
transcript profiles show apple.min=7
transcript profiles show auto stock
transcript profiles show auto --allow metal
transcript profiles check
transcript profiles check ''
transcript profiles check auto --device 0
transcript profiles check auto --allow nothing
transcript profiles capture here
transcript profiles capture --device x
transcript profiles capture --device 0 --device 0
transcript profiles check auto --allow metal --allow mac
transcript profiles --allow metal
transcript help probes
transcript help frobnicate
transcript help probe profiles
transcript version 2
transcript version --json
