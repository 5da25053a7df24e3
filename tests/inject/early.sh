# MTLCAP_TIMING=early: what Metal caches while it makes a device is overridden, too.
expect 'create: Apple9
cached raytracing: no' LUME_METAL_APPLE_FAMILY_MAX=1009 SIMMETAL_DEVICES=paravirt-cached "$CLIENT" create cached-raytracing
expect 'create: Apple9
cached raytracing: yes' MTLCAP_TIMING=early LUME_METAL_APPLE_FAMILY_MAX=1009 SIMMETAL_DEVICES=paravirt-cached "$CLIENT" create cached-raytracing
expect 'create: Apple7
cached raytracing: yes
again: Apple5
cached raytracing: yes' MTLCAP_TIMING=early MTLCAP_PROFILE=auto SIMMETAL_DEVICES=paravirt-cached "$USER_PROGRAM" create cached-raytracing restore again cached-raytracing
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
