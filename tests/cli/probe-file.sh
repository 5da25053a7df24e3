printf '# a comment\napple.min=7 # the host\n' >my.mtlcap
SIMMETAL_DEVICES=paravirt "$MTLCAP" probe -p @my.mtlcap | grep '^profile\|^\*'
