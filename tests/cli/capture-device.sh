# --device chooses; what it captures is that device's.
export SIMMETAL_DEVICES=paravirt,m1-ultra
"$MTLCAP" profiles capture | grep '^# Captured\|^apple'
"$MTLCAP" profiles capture --device 1 | grep '^# Captured\|^apple'
"$MTLCAP" profiles capture --device 2
