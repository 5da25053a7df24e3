# The program has a copy of libmtlcap itself: one engine, and the program has the last word.
expect 'create: Apple7
in force: "auto", generation 1' MTLCAP_PROFILE=auto "$USER_PROGRAM" create report

# It says that a profile is active once a device has been asked for, be it by its own library.
expect 'active: 0
create: Apple7
active: 1' MTLCAP_PROFILE=auto "$USER_PROGRAM" active create active
expect 'active: 0
device_count: 1
active: 1
create: Apple7' MTLCAP_PROFILE=auto "$USER_PROGRAM" active count-by-library active create

# The program applies first: what it has applied stays.
expect 'create: Apple6
in force: "apple.min=6", generation 1
create: Apple6' MTLCAP_PROFILE=auto "$USER_PROGRAM" apply-six create report create

# ... after us, or restores: it is left alone for good.
expect 'create: Apple7
again: Apple6
create: Apple6
in force: "apple.min=6", generation 2' MTLCAP_PROFILE=auto "$USER_PROGRAM" create apply-six again create report
expect 'create: Apple7
again: Apple5
create: Apple5
list: Apple5' MTLCAP_PROFILE=auto "$USER_PROGRAM" create restore again create list
expect 'mtlcap: applied *
create: Apple7
mtlcap: the program has restored stock answers: it is left alone
create: Apple5
create: Apple5' MTLCAP_PROFILE=auto MTLCAP_LOG=info "$USER_PROGRAM" create restore create create
expect 'create: Apple7
again: Apple5
again: Apple7
create: Apple7' MTLCAP_PROFILE=auto "$USER_PROGRAM" create restore again apply-auto again create

# Its library lists the devices: they are covered like any others.
expect 'device_info: Apple7
create: Apple7' MTLCAP_PROFILE=auto "$USER_PROGRAM" list-by-library create

# Its library is the first, and lists devices while it applies.
expect 'device_info: Apple7
create: Apple6
in force: "apple.min=6", generation 2' MTLCAP_PROFILE=auto "$USER_PROGRAM" list-by-library apply-six create report

# The program's copy comes first, ours is opened later.
PRELOAD=
expect 'create: Apple6
again: Apple6
in force: "apple.min=6", generation 1' MTLCAP_PROFILE=auto "$USER_PROGRAM" apply-six create inject again report
expect 'device_info: Apple5
device_info: Apple7
in force: "auto", generation 1' MTLCAP_PROFILE=auto "$USER_PROGRAM" list-by-library inject list-by-library report
