# MTLCAP_TIMING=early: what Metal caches while it makes a device is overridden, too. On this machine
# Metal caches what it derives.
SIMMETAL_DEVICES=paravirt-cached
MTLCAP_ALLOW=beyond-hardware
export SIMMETAL_DEVICES MTLCAP_ALLOW
stock='0 0 0 0 0 32768 *'
raised='1 1 1 1 1 32768 *'

expect "create: Apple5
cached: $stock" "$CLIENT" create cached
expect "create: Apple9
cached: $stock" MTLCAP_PROFILE=apple.min=9 "$CLIENT" create cached
expect "create: Apple9
cached: $raised" MTLCAP_TIMING=early MTLCAP_PROFILE=apple.min=9 "$CLIENT" create cached
# ... as by the shims that people use today, whose hooks go in at the same place
PRELOAD=$SHIM_LIBRARY
expect "create: Apple9
cached: $raised" SHIM=init "$CLIENT" create cached
PRELOAD=$INJECT
expect 'create: Apple9
threadgroup memory: 65536' MTLCAP_TIMING=early LUME_METAL_APPLE_FAMILY_MAX=1009 "$CLIENT" create threadgroup-memory

# A restore reaches the answers, and not the caches.
expect "create: Apple7
cached: $raised
again: Apple5
cached: $raised" MTLCAP_TIMING=early MTLCAP_PROFILE=auto "$USER_PROGRAM" create cached restore again cached
unset SIMMETAL_DEVICES MTLCAP_ALLOW
expect 'mtlcap: applied profile="auto" *
mtlcap: applied while Metal made the device: *
create: Apple7' MTLCAP_LOG=info MTLCAP_TIMING=early MTLCAP_PROFILE=auto "$CLIENT" create

# Metal is opened late; two devices, two threads, children.
expect 'create: Apple7' MTLCAP_TIMING=early MTLCAP_PROFILE=auto "$BARE" open-local create
expect 'create: Apple7
list: Apple7 Apple5' MTLCAP_TIMING=early MTLCAP_PROFILE=auto SIMMETAL_DEVICES=two-vendors "$CLIENT" create list
expect 'thread: Apple7
thread: Apple7' MTLCAP_TIMING=early MTLCAP_PROFILE=auto SIMMETAL_DEVICES=paravirt-fresh "$CLIENT" two-threads
expect 'create: Apple7
create: Apple7' MTLCAP_TIMING=early MTLCAP_PROFILE=auto "$CLIENT" fork-create create

# A class that Metal's initialisation does not come by is covered late, and that is told.
expect 'mtlcap: could not be applied while Metal made the device: applied after
create: Apple7' MTLCAP_LOG=warning MTLCAP_TIMING=early MTLCAP_PROFILE=auto SIMMETAL_DEVICES=override-in-init "$CLIENT" create

# Of a VM by its name only, which it does not have before it is made.
expect 'mtlcap: to a device*class it could not be applied while Metal made it: applied after
create: Apple7' MTLCAP_LOG=warning MTLCAP_TIMING=early MTLCAP_PROFILE=auto SIMMETAL_DEVICES=override-in-leaf "$CLIENT" create
expect 'mtlcap: to a device*: applied after
list: Apple7
create: Apple7' MTLCAP_LOG=warning MTLCAP_TIMING=early MTLCAP_PROFILE=auto SIMMETAL_DEVICES=override-in-leaf "$CLIENT" list create

# What cannot be applied is told when the device is handed out.
expect 'mtlcap: not applied: hazard: *
create: Apple5' MTLCAP_TIMING=early MTLCAP_PROFILE=apple.min=9 "$CLIENT" create
expect 'mtlcap: not applied: hazard: *
exit 78' MTLCAP_STRICT=1 MTLCAP_TIMING=early MTLCAP_PROFILE=apple.min=9 "$CLIENT" create
expect 'create: nil
created: 0' MTLCAP_TIMING=early MTLCAP_PROFILE=hide "$CLIENT" create count
# Left alone once the program has restored.
expect 'create: Apple7
create: Apple5' MTLCAP_TIMING=early MTLCAP_PROFILE=auto SIMMETAL_DEVICES=paravirt-fresh "$USER_PROGRAM" create restore create
