# What is said, and where.
expect 'create: Apple7' MTLCAP_PROFILE=auto "$CLIENT" create
expect 'mtlcap: applied profile="auto" devices=1 changed=10 derived=9 generation=1 pid=[0-9]*
create: Apple7' MTLCAP_LOG=info MTLCAP_PROFILE=auto "$CLIENT" create
expect 'mtlcap: applied profile="stock" devices=1 changed=0 derived=0 generation=1 pid=*
create: Apple5' MTLCAP_LOG=info MTLCAP_PROFILE=stock "$CLIENT" create
expect 'mtlcap: applied profile="apple.min=9,threadgroup_memory.min=65536" *
create: Apple9' MTLCAP_LOG=info TART_METAL_APPLE_FAMILY_MAX=1009 "$CLIENT" create
expect 'create: Apple5' MTLCAP_LOG=off MTLCAP_PROFILE=apple.min=9 "$CLIENT" create

# A file is added to, and is for its owner only.
expect 'create: Apple7' MTLCAP_LOG="info:$PWD/log" MTLCAP_PROFILE=auto "$CLIENT" create
expect 'create: Apple5' MTLCAP_LOG="info:$PWD/log" MTLCAP_PROFILE=apple.min=9 "$CLIENT" create
expect_text 'mtlcap: applied *
mtlcap: not applied: hazard: *' cat log
expect_text '-rw-------*' ls -l log

# What is no file of its own is left alone.
ln -s log link
mkfifo fifo
for file in link fifo . nowhere/log; do
  expect 'mtlcap: cannot write to the log file *
mtlcap: applied *
create: Apple7' MTLCAP_LOG="info:$PWD/$file" MTLCAP_PROFILE=auto "$CLIENT" create
done
expect_text '2' sh -c 'wc -l <log'

# The limit on files is kept: the program would be ended for it, as ThreadSanitizer's own files do.
[ "$SANITIZED" = thread ] || expect_text 'mtlcap: cannot write to the log file *
mtlcap: applied *
create: Apple7' env MTLCAP_LOG="info:$PWD/log" MTLCAP_PROFILE=auto \
  sh -c 'ulimit -f 0; LD_PRELOAD="$INJECT" exec "$0" create 2>&1 | cat' "$CLIENT"

# Standard error that was closed is not: what has its number now is the program's.
expect_text 'create: Apple5' env MTLCAP_PROFILE=apple.min=9 \
  sh -c 'LD_PRELOAD="$INJECT" exec "$0" reopen-errors create 2>&-' "$CLIENT"
expect_text '' cat data
expect 'create: Apple5' MTLCAP_PROFILE=apple.min=9 "$CLIENT" reopen-errors create
expect_text '' cat data
expect 'create: Apple5' MTLCAP_PROFILE=apple.min=9 "$CLIENT" append-errors create
expect_text 'mtlcap: not applied: hazard: *' cat errors

# A pipe whose reader has gone ends nobody. Python ignores the signal, its children do not.
expect_text 'create: Apple5
exit 0' env MTLCAP_PROFILE=apple.min=9 "$PYTHON" -c '
import os, subprocess, sys
reader, writer = os.pipe()
os.close(reader)
environment = {**os.environ, "LD_PRELOAD": os.environ["INJECT"]}
done = subprocess.run(sys.argv[1:], stderr=writer, env=environment)
print("exit", done.returncode)' "$CLIENT" create

# What follows the profile is to be found, whatever the profile is.
echo apple.min=7 >'a"b\'
expect 'mtlcap: applied profile="@a\\"b\\\\" devices=1 *' MTLCAP_LOG=info MTLCAP_PROFILE='@a"b\' "$CLIENT" create
long=apple.min=7
for _ in 1 2 3 4 5 6 7 8 9; do long=$long,$long; done
expect 'mtlcap: applied profile="apple.min=7,*..." devices=1 *pid=[0-9]*
create: Apple7' MTLCAP_LOG=info MTLCAP_PROFILE="$long" "$CLIENT" create
