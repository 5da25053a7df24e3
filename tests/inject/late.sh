# Metal that is opened late, and the library itself.

# Metal comes after the program has started: for all, or for its opener only.
for opens in open-global open-local; do
  expect 'create: Apple7' MTLCAP_PROFILE=auto "$BARE" $opens create
  expect 'list: Apple7' MTLCAP_PROFILE=auto "$BARE" $opens list
  expect 'create: Apple7
observe: Apple7
observer: set' MTLCAP_PROFILE=auto "$BARE" $opens create observe
  expect 'create: nil' MTLCAP_PROFILE=hide "$BARE" $opens create
done

# A program that asks too early.
expect 'create: nil
create: Apple7' MTLCAP_PROFILE=auto "$BARE" create open-global create
expect 'mtlcap: not applied: device: *
exit 78' MTLCAP_STRICT=1 MTLCAP_PROFILE=auto "$BARE" create

# The library is opened by a program that has a device: its class is covered at once.
PRELOAD=
expect 'create: Apple5
again: Apple7
create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" create inject again create
expect 'create: Apple5
mtlcap: applied profile="auto" devices=1 changed=10 derived=9 generation=1 pid=*
mtlcap: *what it had asked before *classes that come later are not covered
again: Apple7' MTLCAP_PROFILE=auto MTLCAP_LOG=info "$CLIENT" create inject again
expect 'create: Apple5
mtlcap: *what it had asked before *classes that come later are not covered
again: Apple7' MTLCAP_PROFILE=auto MTLCAP_LOG=warning "$CLIENT" create inject again
expect 'create: Apple5
again: Apple7' MTLCAP_PROFILE=auto "$BARE" open-local create inject again

# ... or that has none.
expect 'mtlcap: not applied: interposition: *insert it at launch' MTLCAP_PROFILE=auto "$BARE" inject
# ThreadSanitizer minds the end of a process while a library is being opened.
[ "$SANITIZED" = thread ] || expect 'mtlcap: not applied: interposition: *
exit 78' MTLCAP_STRICT=1 MTLCAP_PROFILE=auto "$BARE" inject
expect 'create: Apple5
mtlcap: not applied: interposition: *hide*
again: Apple5
create: Apple5' MTLCAP_PROFILE=hide "$CLIENT" create inject again create
expect 'mtlcap: not applied: parse: *bad*' MTLCAP_PROFILE=bad "$CLIENT" inject
expect '' "$BARE" inject

# It stays, whatever its opener does.
expect 'create: Apple5
close: 0
again: Apple7
create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" create inject-and-close again create
expect 'close: 0' "$CLIENT" inject-and-close

# Something else is before it.
PRELOAD="$(dirname "$INJECT")/simmetal/libsimmetal.so.0:$INJECT"
expect 'mtlcap: another library takes calls of Metal before this one:*
create: Apple5' MTLCAP_PROFILE=auto "$BARE" create
PRELOAD="$LATER:$INJECT" # which calls on
expect 'mtlcap: another library takes calls of Metal before this one:*
create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" create
