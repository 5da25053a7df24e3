# Files of answers in which something is of another type, or is there twice; and a name that would turn
# the direction of what is printed.
. "$CASES/common"
# trace FORM CAPABILITY ARGUMENT ANSWER: what is said of a trace with this one question.
trace() {
  cat >trace.json <<J
{"mtlcap_trace": $1, "mtlcap": "0.1.0", "processes": [{"program": "/bin/app", "questions": [
  {"capability": $2, "argument": $3, "argument_name": "MTLGPUFamilyApple7", "device": "GPU",
   "class": "AGXG13GDevice", "answer": $4, "derived": false}]}]}
J
  echo "$*: $("$MTLCAP" explain tinygrad --from trace.json 2>&1 | head -n 1)"
}
trace 1 '"apple"' 1007 true
trace 1 '"apple"' 1007 false
for answer in '"yes"' null 1 '[]' '{}'; do
  trace 1 '"apple"' 1007 "$answer"
done
trace 1 '"raytracing"' null '"maybe"'
trace 1 '"raytracing"' null 1
trace 1 '"texture_sample_count"' 4 4
trace 1 '"threadgroup_memory"' null '"32768"'
trace 1 '"threadgroup_memory"' null 32768.5
trace 1 '"threadgroup_memory"' null -1
trace 1 '"argument_buffers"' null true
trace 1 '"threads_per_threadgroup"' null 1024
trace 1 '"name"' null false
trace 1 '"apple"' 1007 'false, "too_early": {"applied": 0, "answer": "yes"}'
trace 1 null null '"what mtlcap does not know may be anything"'
for form in 999 0 -1 1.5 '"1"' null true; do
  trace "$form" '"apple"' 1007 true
done
transcript explain tinygrad --from trace.json
# Every question that is asked has an answer of its kind.
"$MTLCAP" trace --json -o real.json -- "$ASKS" >/dev/null && "$MTLCAP" explain --from real.json >real.txt
echo "exit code $?"
# Probes.
"$MTLCAP" probe --json >probe.json
sed -n 's/^ *"threads_per_threadgroup": //p' probe.json
for three in '[1024, 1024]' '[1024, 1024, 1024, 1]' '[1024, "1024", 1024]' '1024'; do
  sed "s/\"threads_per_threadgroup\": {\"stock\": \[[^]]*\]/\"threads_per_threadgroup\": {\"stock\": $three/" \
    probe.json >three.json
  transcript explain tinygrad --from three.json
done
sed 's/"effective": 5/"effective": 5, "effective": 7/' probe.json >twice.json
transcript explain tinygrad --from twice.json
# The name is shown as it is, and turns nothing.
cat >name.rules <<'R'
[client]
name = app
versions = 1
source = here
device = any
asks = once
good = is
[feature]
name = f
what = w
needs = name~GPU
off = is not
decides = yes
source = s
basis = read
R
printf 's/"Apple Paravirtual device"/"Apple \342\200\256\342\201\246\330\234\342\200\250 \342\200\246 \330\233"/g\n' >turn.sed
sed -f turn.sed probe.json >turn.json
transcript explain --rules name.rules --from turn.json | grep decided
