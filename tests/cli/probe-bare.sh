# auto has nothing to do on bare metal.
SIMMETAL_DEVICES=m1-ultra "$MTLCAP" probe --profile=auto
