# Without a profile, of the stock answers. The table is printed all the same.
SIMMETAL_DEVICES=paravirt "$MTLCAP" probe --expect 'apple>=7'
