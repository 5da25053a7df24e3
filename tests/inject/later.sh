# Devices of a class that comes later, and two at once.
PRELOAD="$INJECT:$LATER"
expect 'create: Apple7
create: Apple7
create: Apple7' MTLCAP_PROFILE=apple.min=7 MTLCAP_ALLOW=bare-metal "$CLIENT" create create create
expect 'create: Apple7
create: Apple7
other: Apple7' OTHER_FIRST=1 MTLCAP_PROFILE=apple.min=7 MTLCAP_ALLOW=bare-metal "$CLIENT" create create other-class

# A later class that the profile cannot be applied to: told once, and stock; what is covered stays.
expect 'create: Apple7
mtlcap: not applied: hazard: *bare-metal*
create: Apple5
create: Apple7
create: Apple5' MTLCAP_PROFILE=apple.min=7 "$CLIENT" create create create create
expect 'create: Apple7
mtlcap: not applied: hazard: *bare-metal*
exit 78' MTLCAP_STRICT=1 MTLCAP_PROFILE=apple.min=7 "$CLIENT" create create create

# No thread has its device before it is covered, whoever applies.
round=0
while [ $round -lt 40 ]; do
  expect 'thread: Apple7
thread: Apple7' MTLCAP_PROFILE=apple.min=7 MTLCAP_ALLOW=bare-metal "$CLIENT" two-threads
  round=$((round + 1))
done
PRELOAD=$INJECT
while [ $round -lt 80 ]; do
  expect 'thread: Apple7
thread: Apple7' MTLCAP_PROFILE=auto "$CLIENT" two-threads
  round=$((round + 1))
done
