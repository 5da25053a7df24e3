# MTLCAP_REQUIRE: what must hold before the program gets a device.
expect 'create: Apple7' MTLCAP_REQUIRE='apple>=7' MTLCAP_PROFILE=auto "$CLIENT" create
expect 'create: Apple7' MTLCAP_REQUIRE='apple>=7,metal=off,threadgroup_memory=32K' MTLCAP_PROFILE=auto "$CLIENT" create
expect 'mtlcap: required, but not so: expected apple>=8, found 7 (*)
exit 70' MTLCAP_REQUIRE='apple>=8' MTLCAP_PROFILE=auto "$CLIENT" create
expect 'mtlcap: required, but not so: expected apple>=8, found 7; expected metal=3, found off (*)
exit 70' MTLCAP_REQUIRE='apple>=8,mac>=1,metal=3' MTLCAP_PROFILE=auto "$CLIENT" list
expect 'mtlcap: required, but not so: *
exit 70' MTLCAP_REQUIRE='apple>=8' MTLCAP_PROFILE=auto "$CLIENT" observe

# Without a profile it is about the stock answers.
expect 'create: Apple5' MTLCAP_REQUIRE='apple>=5' "$CLIENT" create
expect 'mtlcap: required, but not so: expected apple>=7, found 5 (*)
exit 70' MTLCAP_REQUIRE='apple>=7' "$CLIENT" create

# Where the profile could not be applied, both is told.
expect 'mtlcap: not applied: hazard: *
mtlcap: required, but not so: *found 5 (*)
exit 70' MTLCAP_REQUIRE='apple>=7' MTLCAP_PROFILE=apple.min=9 "$CLIENT" create

# No device meets nothing; nobody asks, nobody ends.
expect 'mtlcap: required, but not so: *no *device*
exit 70' MTLCAP_REQUIRE='apple>=7' MTLCAP_PROFILE=auto SIMMETAL_DEVICES=none "$CLIENT" create
expect 'mtlcap: required, but not so: *hide*
exit 70' MTLCAP_REQUIRE='apple>=7' MTLCAP_PROFILE=hide "$CLIENT" create
expect 'created: 0' MTLCAP_REQUIRE='apple>=7' "$CLIENT" count

# Each device, also one that comes later.
expect 'mtlcap: required, but not so: expected apple>=7, found 5 (*)
exit 70' MTLCAP_REQUIRE='apple>=7' MTLCAP_PROFILE=auto SIMMETAL_DEVICES=two-vendors "$CLIENT" list
PRELOAD="$INJECT:$LATER"
expect 'create: Apple7
mtlcap: required, but not so: expected apple>=7, found 5 (*)
exit 70' MTLCAP_REQUIRE='apple>=7' MTLCAP_PROFILE=auto "$CLIENT" create create
PRELOAD=
expect 'create: Apple5
mtlcap: required, but not so: expected apple>=8, found 7 (*)
exit 70' MTLCAP_REQUIRE='apple>=8' MTLCAP_PROFILE=auto "$CLIENT" create inject again

# An expectation that cannot be understood.
PRELOAD=$INJECT
expect 'mtlcap: not applied: environment: MTLCAP_REQUIRE: *
mtlcap: required, but not so: *
exit 70' MTLCAP_REQUIRE='apple>7' MTLCAP_PROFILE=auto "$CLIENT" create
