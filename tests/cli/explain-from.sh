# Answers out of a file: of a probe, of a trace, and of neither.
. "$CASES/common"
SIMMETAL_DEVICES=intel-amd "$MTLCAP" probe --json >intel.json
SIMMETAL_DEVICES=paravirt-m3 "$MTLCAP" probe -p auto --json >auto.json
transcript explain --from auto.json
transcript explain tinygrad --from intel.json
# A file says what the device would.
for client in llama.cpp mlx pytorch tinygrad candle metal.jl moltenvk cubecl; do
  for profile in stock auto like-apple6; do
    SIMMETAL_DEVICES=paravirt-m3 "$MTLCAP" probe -p $profile --json >probe.json
    "$MTLCAP" explain $client --from probe.json --json >from.json
    SIMMETAL_DEVICES=paravirt-m3 "$MTLCAP" explain $client -p $profile --json >live.json
    "$PYTHON" - <<'P'
import json
a, b = (json.load(open(name))["devices"] for name in ("from.json", "live.json"))
for device in a + b:
    for feature in device["clients"][0]["features"]:
        del feature["turned_on_by"], feature["cannot"] # of another machine, less can be tried
print("the same" if a == b else (a, b))
P
  done
done | sort | uniq -c | sed 's/^ *//'
cat >trace.json <<'J'
{"mtlcap_trace": 1, "mtlcap": "0.1.0", "processes": [
  {"program": "/bin/launcher", "pid": 1, "profile": null, "questions": []},
  {"program": "/bin/app", "pid": 2, "profile": "auto", "questions": [
    {"capability": "apple", "selector": "supportsFamily:", "argument": 1007,
     "argument_name": "MTLGPUFamilyApple7", "device": "Apple Paravirtual device",
     "class": "AppleParavirtDevice", "answer": true, "derived": false},
    {"capability": "apple", "selector": "supportsFamily:", "argument": 1009,
     "argument_name": "MTLGPUFamilyApple9", "device": "Apple Paravirtual device",
     "class": "AppleParavirtDevice", "answer": false, "derived": false},
    {"capability": null, "selector": "supportsFamily:", "argument": 1021,
     "argument_name": "1021", "device": "Apple Paravirtual device",
     "class": "AppleParavirtDevice", "answer": false, "derived": false},
    {"capability": "metal", "selector": "supportsFamily:", "argument": 5001,
     "argument_name": "MTLGPUFamilyMetal3", "device": "Apple Paravirtual device",
     "class": "AppleParavirtDevice", "answer": false, "derived": false},
    {"capability": "threadgroup_memory", "selector": "maxThreadgroupMemoryLength", "argument": null,
     "argument_name": null, "device": "Apple Paravirtual device",
     "class": "AppleParavirtDevice", "answer": 32768, "derived": false}]}]}
J
transcript explain llama --from trace.json
transcript explain --from trace.json
# A question that was asked too early: the first answer counts, wherever it stands.
cat >early.json <<'J'
{"mtlcap_trace": 1, "mtlcap": "0.1.0", "processes": [
  {"program": "/bin/app", "pid": 2, "profile": "auto", "questions": [
    {"capability": "apple", "selector": "supportsFamily:", "argument": 1007,
     "argument_name": "MTLGPUFamilyApple7", "device": "Apple Paravirtual device", "stock": false,
     "class": "AppleParavirtDevice", "answer": true, "derived": false, "first_ns": 9000,
     "too_early": null},
    {"capability": "apple", "selector": "supportsFamily:", "argument": 1007,
     "argument_name": "MTLGPUFamilyApple7", "device": "Apple Paravirtual device", "stock": false,
     "class": "AppleParavirtDevice", "answer": false, "derived": false, "first_ns": 1000,
     "too_early": {"applied": 1, "answer": true}}],
   "applied": [{"ns": 500, "profile": "stock"}, {"ns": 2000, "profile": "auto"}]}]}
J
transcript explain tinygrad --from early.json --require tensor-cores
"$MTLCAP" explain --from early.json | head -2
"$MTLCAP" explain tinygrad --from early.json --json >early-explained.json
"$PYTHON" "$CASES/schema.py" "$CASES/../../docs/explain.schema.json" <early-explained.json
"$PYTHON" -c 'import json
print(json.load(open("early-explained.json"))["devices"][0]["clients"][0]["features"][1]["turned_on_by"])'
# What is no such file.
transcript explain --from nothing.json
printf '{"mtlcap": "0.1.0",\n "devices": [}' >broken.json
printf '{}' >empty.json
printf '{"mtlcap_trace": 1, "processes": [{"questions": []}]}' >silent.json
printf '\0' >nul.json
"$MTLCAP" explain --json >explain.json
"$MTLCAP" probe --diff stock auto --json >diff.json
sed 's/"apple": {"stock": 9/"apple": {"stock": "9"/' auto.json | sed 's/"effective": 9/"effective": []/' >kind.json
for file in broken empty silent nul explain diff kind; do
  transcript explain --from $file.json
done
# By a pipe, and what of ours is taken for it.
"$MTLCAP" explain tinygrad --from - <early.json | head -1
transcript explain --from - </dev/null
"$MADE_TRACE" >made.trace
transcript explain --from made.trace
"$MTLCAP" trace --from made.trace --json | "$MTLCAP" explain tinygrad --from - | head -2
"$MTLCAP" trace --from made.trace >summary.txt
transcript explain --from summary.txt
{ echo slow; cat early.json; } >both.json
transcript explain --from both.json
printf '{"mtlcap_receipt": 1, "mtlcap": "0.1.0", "devices": []}' >receipt.json
transcript explain --from receipt.json
