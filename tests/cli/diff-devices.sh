SIMMETAL_DEVICES=paravirt,m1-ultra "$MTLCAP" probe --diff stock auto
