# Children without exec, of one that has a device and of one that has none.
expect 'create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" fork-create
expect 'create: Apple7
create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" create fork-create
expect 'create: Apple7
again: Apple7
again: Apple7' MTLCAP_PROFILE=auto "$CLIENT" create fork-again again
expect 'create: Apple7
create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" fork-create create
expect 'mtlcap: not applied: hazard: *
child: exit 78' MTLCAP_STRICT=1 MTLCAP_PROFILE=apple.min=9 "$CLIENT" fork-create
# ... forked while another thread applies, which is not in the child.
expect 'create: Apple7
thread: Apple7' MTLCAP_PROFILE=auto "$CLIENT" fork-meanwhile
