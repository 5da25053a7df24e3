SIMMETAL_DEVICES=paravirt "$MTLCAP" probe
