# A machine that does not exist: the simulated Metal says so, and there is no device.
SIMMETAL_DEVICES=frobnicate "$MTLCAP" probe
