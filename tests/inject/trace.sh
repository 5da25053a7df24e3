# What MTLCAP_TRACE notes, and that it does so whatever ends the program.
read_trace() { # PATTERN [KEY]: of the file
  expect_text "$1" "$READ_TRACE" trace ${2+"$2"}
}
ended() { # PATTERN: what is about the whole
  read_trace "*, profile $1, 0 dropped, 0 events and 0 dropped, 0 not watched, process *"
  rm -f trace
}
export MTLCAP_TRACE=trace

# Without a profile: the answers are stock.
expect 'create: Apple5
threadgroup memory: 32768' "$CLIENT" create threadgroup-memory
read_trace '*MTLGPUFamilyApple5: yes, stock yes, 1 times on 1 threads, by * *
*MTLGPUFamilyApple7: no, stock no, 1 times on *
*1021, no family of Metal*: no, stock no, 1 times on *' apple
read_trace 'threadgroup_memory : 32768, stock 32768, 1 times on 1 threads, by *' threadgroup_memory
expect_text '-r--------*' ls -l trace
ended "'stock', complete, asked"
expect '' "$BARE"
ended "'', complete, never asked"
expect 'create: nil' SIMMETAL_DEVICES=none "$CLIENT" create
ended "'', complete, never asked"
expect 'create: nil' MTLCAP_PROFILE=hide "$CLIENT" create
ended "'', complete, never asked"

# With one.
export MTLCAP_PROFILE=auto
expect 'create: Apple7
again: Apple7' "$CLIENT" create again
read_trace '*MTLGPUFamilyApple5: yes, stock yes, overridden, 2 times on 1 threads, by *
*MTLGPUFamilyApple7: yes, stock no, overridden, 2 times on *
*MTLGPUFamilyApple8: no, stock no, 2 times on *' apple
ended "'auto', complete, asked"
expect 'create: Apple7' MTLCAP_TIMING=early "$CLIENT" create
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 1 times on *' apple
ended "'auto', complete, asked"
expect 'thread: Apple7
thread: Apple7' "$CLIENT" two-threads
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 2 times on 2 threads, by *' apple
ended "'auto', complete, asked"
expect 'thread: Apple7' "$CLIENT" small-stack
ended "'auto', complete, asked"
# Refused: what the program gets is noted all the same.
expect 'mtlcap: not applied: hazard: *
create: Apple5' MTLCAP_PROFILE=apple.min=9 "$CLIENT" create
read_trace '*MTLGPUFamilyApple9: no, stock no, 1 times on *' apple
ended "'', complete, asked"
expect 'create: Apple7' MTLCAP_REQUIRE='apple>=7' "$CLIENT" create
ended "'auto', complete, asked"
# A class that comes later, and one that is only met by its own door.
expect 'list: Apple5 Apple5' MTLCAP_PROFILE=stock SIMMETAL_DEVICES=two-vendors "$CLIENT" list
expect_text '2' sh -c '"$READ_TRACE" trace apple | grep -c MTLGPUFamilyApple4:'
rm -f trace

# The program's own library, which does as it likes.
expect 'create: Apple7
again: Apple5
create: Apple5' "$USER_PROGRAM" create restore again create
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 1 times on *
*MTLGPUFamilyApple7: no, stock no, 2 times on *' apple
ended "'', complete, asked"
expect 'device_info: Apple5
device_info: Apple7' LD_PRELOAD= "$USER_PROGRAM" list-by-library inject list-by-library
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 1 times on *' apple
ended "'auto', complete, asked"

# Opened by a program that runs.
expect 'create: Apple5
again: Apple7' LD_PRELOAD= "$CLIENT" create inject again
expect_text '*, opened late, *' "$READ_TRACE" trace
ended "'auto', complete, asked"

# Whatever ends it: who asked is known as far as images go.
expect 'create: Apple7*
exit 134' "$CLIENT" create abort
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 1 times on 1 threads, by [!?]* ' apple
ended "'auto', active, asked"
expect 'create: Apple7*
exit 137' "$CLIENT" create kill
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 1 times on 1 threads, by [!?]* ' apple
expect 'create: Apple7' "$CLIENT" create # the one of a process that is no more is replaced
ended "'auto', complete, asked"
expect 'create: Apple7' "$CLIENT" create _exit
ended "'auto', active, asked"

# Children that are forked share it; a program that is started is another one.
expect 'create: Apple7
again: Apple7
again: Apple7' "$CLIENT" create fork-again again
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 3 times on 2 threads, by *' apple
ended "'auto', complete, asked"
expect 'create: Apple7
thread: Apple7' "$CLIENT" fork-meanwhile
ended "'auto', complete, asked"
expect 'create: Apple7
environ: *
envp: *
create: Apple7' MTLCAP_CHILDREN=inherit MTLCAP_TRACE=of-%p "$CLIENT" create exec-create
expect_text 2 sh -c 'ls of-* | wc -l'
for file in of-*; do expect_text "*'auto', complete, asked*" "$READ_TRACE" "$file"; done
rm -f of-*
expect 'create: Apple7
mtlcap: the trace */trace* cannot be written: process * writes it: name another file*
environ: *
envp: *
create: Apple7' MTLCAP_CHILDREN=inherit "$CLIENT" create exec-create
ended "'auto', complete, asked"

# The process that another one has the number of now is no more: its trace is replaced.
expect 'create: Apple7*
exit 137' "$CLIENT" create kill
chmod u+w trace
number=$$ # which is eight bytes, the lowest first, behind magic, version and size
for at in 24 25 26 27; do
  printf "\\$(printf %o $((number & 255)))" | dd of=trace bs=1 seek=$at conv=notrunc 2>/dev/null
  number=$((number >> 8))
done
read_trace "*'auto', active, asked, *, process $$"
expect 'create: Apple7' "$CLIENT" create
ended "'auto', complete, asked"

# Of those that start at once, one has the file, and the others say so; whether there was one before
# or not.
for round in 1 2 3 4; do
  if [ $((round % 2)) = 0 ]; then
    expect 'create: Apple7' "$CLIENT" create _exit
  fi
  started=
  for i in 1 2 3 4 5 6; do
    env LD_PRELOAD="$INJECT" "$CLIENT" create wait >output.$i 2>&1 &
    started="$started $!"
  done
  for i in 1 2 3 4 5 6; do
    until grep -q waiting output.$i; do sleep 0.05; done
  done
  expect_text 5 sh -c 'grep -l "cannot be written: .*name another file" output.* | wc -l'
  read_trace "*, profile 'auto', active, asked, *"
  : >go
  wait $started
  ended "'auto', complete, asked"
  rm -f go output.*
  expect_text '' sh -c 'ls | grep "^trace"'
done

# Looked at while the program runs.
env LD_PRELOAD="$INJECT" "$CLIENT" create wait again >output 2>&1 &
until grep -q waiting output; do sleep 0.05; done
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 1 times on 1 threads, by *' apple
read_trace "*, profile 'auto', active, asked, *, process $!"
: >go
wait
read_trace '*MTLGPUFamilyApple7: yes, stock no, overridden, 2 times on 1 threads, by *' apple
ended "'auto', complete, asked"
rm -f go output

# Each question by itself.
expect 'create: Apple7' MTLCAP_TRACE_EVENTS=30 "$CLIENT" create
read_trace "*'auto', complete, asked, 0 dropped, 21 events and 0 dropped, *"
rm -f trace
expect 'create: Apple7' MTLCAP_TRACE_EVENTS=5 "$CLIENT" create
read_trace "*'auto', complete, asked, 0 dropped, 5 events and 16 dropped, *"
rm -f trace
for wrong in x -1 1048577 99999999999999999999 '5 '; do
  expect "mtlcap: *MTLCAP_TRACE_EVENTS='$wrong': write a number from 0 to 1048576
create: Apple5" MTLCAP_TRACE_EVENTS="$wrong" "$CLIENT" create
done
rm -f trace

# Files that cannot be: told, and the end of the program only if it is to be strict.
cannot() { # REASON [NAME=VALUE...]
  reason="mtlcap: *cannot be written: $1"
  shift
  expect "$reason
create: Apple7" "$@" "$CLIENT" create
  expect "$reason (MTLCAP_STRICT: the program ends here)
exit 78" "$@" MTLCAP_STRICT=1 "$CLIENT" create
}
cannot 'No such file or directory' MTLCAP_TRACE=none/trace
echo precious >kept
cannot '*remove it, or name another file' MTLCAP_TRACE=kept
expect_text precious cat kept
ln -s kept link
cannot '*remove it, or name another file' MTLCAP_TRACE=link
mkdir folder
cannot '*remove it, or name another file' MTLCAP_TRACE=folder
mkfifo fifo
cannot '*remove it, or name another file' MTLCAP_TRACE=fifo
expect "mtlcap: *MTLCAP_TRACE='a%d': write %p *
create: Apple5" MTLCAP_TRACE=a%d "$CLIENT" create
expect_text 'fifo
folder
kept
link' ls

# A disk that is full, at once or when more than the file itself is wanted.
PRELOAD="$INJECT $FULL_DISK"
cannot 'No space left on device'
expect_text 'fifo
folder
kept
link' ls
PRELOAD=$INJECT
if [ -z "$SANITIZED" ]; then # its own files are larger
  expect_text 'mtlcap: *cannot be written: files of this process may not be as long as that*
create: Apple7' sh -c 'ulimit -f 100; LD_PRELOAD=$INJECT "$CLIENT" create'
fi

# A program with rights that its caller does not have does nothing: secure.sh. Nor does one that is
# not meant.
expect '' MTLCAP_ONLY=another "$BARE"
expect '' MTLCAP_DISABLE=1 "$BARE"
expect_text 'fifo
folder
kept
link' ls
