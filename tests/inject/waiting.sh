# A thread that finds another one applying waits, but not for ever; here the other one is stopped.
expect 'mtlcap: not applied: turn: another thread has been applying for 10 seconds
create: Apple5
thread: Apple7' MTLCAP_PROFILE=auto "$CLIENT" keep-waiting
expect 'mtlcap: not applied: turn: *
exit 78' MTLCAP_STRICT=1 MTLCAP_PROFILE=auto "$CLIENT" keep-waiting

# One that is cancelled leaves the turn to others.
expect 'mtlcap: applied *
create: Apple7' MTLCAP_LOG=info MTLCAP_PROFILE=auto "$CLIENT" cancelled create

# One that asks for a device further down the stack does not wait for itself.
PRELOAD="$INJECT:$SHIM_LIBRARY"
expect 'log: Apple6
create: Apple6' SHIM=load MTLCAP_PROFILE=apple.max=6 "$USER_PROGRAM" log-creates create
