# A thread that finds another one applying waits, but not for ever; here the other one is stopped. All
# at the same time, for they take ten seconds.
waits() {
  (
    failures=0
    expect "$@" "$CLIENT" keep-waiting
    exit $failures
  ) &
  waiting="$waiting $!"
}
waiting=
waits 'mtlcap: not applied: turn: another thread has been applying for 10 seconds
create: Apple5
thread: Apple7' MTLCAP_PROFILE=auto
waits 'mtlcap: not applied: turn: *
exit 78' MTLCAP_STRICT=1 MTLCAP_PROFILE=auto
waits 'mtlcap: not applied: turn: *
mtlcap: required, but not so: *found 5*
exit 70' MTLCAP_REQUIRE='apple>=7' MTLCAP_PROFILE=auto

# One that is opening a library, whose constructor asks for a device, is waited for by nobody who
# applies: it comes to its turn.
for receipt in '' "$PWD/receipt"; do
  expect '*: Apple7
*: Apple7' EAGER="$EAGER" MTLCAP_STRICT=1 MTLCAP_RECEIPT="$receipt" MTLCAP_PROFILE=auto "$CLIENT" open-meanwhile
done

# One that is cancelled leaves the turn to others.
expect 'mtlcap: applied *
create: Apple7' MTLCAP_LOG=info MTLCAP_PROFILE=auto "$CLIENT" cancelled create

# One that asks for a device further down the stack does not wait for itself.
PRELOAD="$INJECT:$SHIM_LIBRARY"
expect 'log: Apple6
create: Apple6' SHIM=load MTLCAP_PROFILE=apple.max=6 "$USER_PROGRAM" log-creates create

for process in $waiting; do
  wait "$process" || failures=$((failures + 1))
done
