# Programs that the program starts.
name=$(basename "$INJECT")

expect 'environ: no LD_PRELOAD
envp: no LD_PRELOAD
create: Apple7
environ: no LD_PRELOAD
envp: no LD_PRELOAD
create: Apple5' MTLCAP_PROFILE=auto "$CLIENT" environment create exec-create
expect "environ: $name
envp: $name
create: Apple7
environ: $name
envp: $name
create: Apple7" MTLCAP_CHILDREN=inherit MTLCAP_PROFILE=auto "$CLIENT" environment create exec-create

# Other entries stay.
PRELOAD="$COUNT_OPENS:$INJECT $LATER"
expect 'environ: libinject_count_opens.so libinject_later.so
envp: libinject_count_opens.so libinject_later.so
environ: libinject_count_opens.so libinject_later.so
envp: libinject_count_opens.so libinject_later.so
create: Apple5' MTLCAP_PROFILE=auto "$CLIENT" environment exec-create

# A process in which nothing is to be done leaves everything as it is: its children may be meant.
PRELOAD=$INJECT
expect "environ: $name
envp: $name" "$CLIENT" environment
expect "environ: $name
envp: $name" MTLCAP_ONLY=another MTLCAP_PROFILE=auto "$CLIENT" environment
