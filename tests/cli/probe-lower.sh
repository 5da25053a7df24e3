SIMMETAL_DEVICES=m1-ultra "$MTLCAP" probe -papple.max=5,metal=off
