SIMMETAL_DEVICES=paravirt "$MTLCAP" probe -p auto
