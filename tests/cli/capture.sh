SIMMETAL_DEVICES=m1-ultra "$MTLCAP" profiles capture
