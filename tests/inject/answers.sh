# The answers that a program gets.
expect 'create: Apple5' "$CLIENT" create
expect 'create: Apple5' MTLCAP_PROFILE= "$CLIENT" create
expect 'create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" create
expect 'list: Apple7' MTLCAP_PROFILE=auto "$CLIENT" list
expect 'observe: Apple7
observer: set' MTLCAP_PROFILE=auto "$CLIENT" observe
expect 'create: Apple7
list: Apple7
create: Apple7
again: Apple7
created: 1' MTLCAP_PROFILE=auto "$CLIENT" create list create again count
expect 'create: Apple5' MTLCAP_PROFILE=stock "$CLIENT" create
expect 'create: Apple4' MTLCAP_PROFILE=apple.max=4 "$CLIENT" create
expect 'create: Apple9' MTLCAP_PROFILE=apple.min=9 MTLCAP_ALLOW=beyond-hardware "$CLIENT" create
expect 'create: Apple8' MTLCAP_PROFILE=auto SIMMETAL_DEVICES=paravirt-m2 "$CLIENT" create
expect 'create: Apple7' MTLCAP_PROFILE=auto SIMMETAL_DEVICES=m1 "$CLIENT" create
expect 'create: Apple7' MTLCAP_PROFILE=auto MTL_DEBUG_LAYER=1 "$CLIENT" create
expect 'create: Apple7' MTLCAP_PROFILE=auto SIMMETAL_RUNTIME=gcc "$CLIENT" create
expect 'create: nil
list: Apple7' MTLCAP_PROFILE=auto SIMMETAL_DEVICES=no-default-device "$CLIENT" create list

# New devices for each call, of a class that is covered.
expect 'create: Apple7
create: Apple7
list: Apple7' MTLCAP_PROFILE=auto SIMMETAL_DEVICES=paravirt-fresh "$CLIENT" create create list

# The other tools' variables.
expect 'create: Apple9
threadgroup memory: 65536' LUME_METAL_APPLE_FAMILY_MAX=1009 "$CLIENT" create threadgroup-memory

expect 'create: Apple11' LUME_METAL_APPLE_FAMILY_MAX=1011 "$CLIENT" create
expect 'create: Apple21' TART_METAL_APPLE_FAMILY_MAX=1999 "$CLIENT" create
expect '*Metal does not have this family*
create: Apple5' MTLCAP_PROFILE=apple.min=1011 MTLCAP_ALLOW=beyond-hardware "$CLIENT" create

# Switched off; another program.
expect 'create: Apple5' MTLCAP_PROFILE=auto MTLCAP_DISABLE=1 "$CLIENT" create
expect 'create: Apple5' MTLCAP_PROFILE=auto MTLCAP_ONLY=llama-server "$CLIENT" create
expect 'create: Apple7' MTLCAP_PROFILE=auto MTLCAP_ONLY="llama-server,$(basename "$CLIENT")" "$CLIENT" create
ln -s "$CLIENT" llama-server
expect 'create: Apple7' MTLCAP_PROFILE=auto MTLCAP_ONLY=llama-server ./llama-server create
expect 'create: Apple7' MTLCAP_PROFILE=auto MTLCAP_ONLY="$(basename "$CLIENT")" ./llama-server create

# What counts is the environment that the program started with.
expect 'create: Apple5' "$CLIENT" set-profile create

# A profile file is read at load: from the folder of then.
mkdir folder
printf '# a comment\napple.max=4\n\nmetal=off # another\n' >folder/profile
expect 'create: Apple4' MTLCAP_PROFILE=@folder/profile "$CLIENT" chdir create
expect 'create: Apple3' MTLCAP_PROFILE='@folder/profile , apple.max=3' "$CLIENT" chdir create

# Constructors of other libraries, before and after ours.
for PRELOAD in "$EAGER:$INJECT" "$INJECT:$EAGER"; do
  expect 'constructor: Apple7
create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" create
done
