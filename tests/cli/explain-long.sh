# Long texts are whole.
. "$CASES/common"
"$PYTHON" - <<'P'
import json
import subprocess
import os

mtlcap = os.environ["MTLCAP"]

def explain(*arguments):
    return subprocess.run([mtlcap, "explain", *arguments], capture_output=True, text=True).stdout

def advised(document):
    (tensor_cores,) = (feature for feature in document["devices"][0]["clients"][0]["features"]
                       if feature["name"] == "tensor-cores")
    return [advice["profile"] for advice in tensor_cores["turned_on_by"]]

for count in 57, 58, 300:
    profile = ",".join(["apple.max=5"] * count)
    document = json.loads(explain("tinygrad", "--json", "-p", profile))
    print(count, advised(document) == [profile + ",auto", profile + ",apple.min=7"])
    print(count, f"-p {profile},auto: no hazard known\n" in explain("tinygrad", "-p", profile))

# Verdicts, costs, what is needed, and names.
long = " ".join(["long"] * 1000)
words = " and ".join(f"name~{letter * 100}" for letter in "abcdefg")
names = [letter * 100 for letter in "abcde"]
rules = f"""[client]
name = app
versions = 1
source = here
device = any
asks = once
good = {long} good
[feature]
name = f
what = w
needs = {words}
off = is {long} off
decides = yes
source = in {long} source
basis = read
""" + "".join(f"[same]\nname = the-{name}\nversions = 1\ndiffers = {long}\nsource = s\n"
              for name in names)
open("mine.rules", "w").write(rules)
text = explain("--rules", "mine.rules")
print(text.startswith(f"app is {long} off: name is Apple Paravirtual device\n"),
      f"costs        app is {long} off\n" in text,
      f"no profile: it needs {words.replace(' and ', ', ')}\n" in text,
      f"source       in {long} source (read)\n" in text)
client = json.loads(explain("--rules", "mine.rules", "--json"))["devices"][0]["clients"][0]
print(client["verdict"] == f"app is {long} off: name is Apple Paravirtual device",
      client["features"][0]["cannot"] == f"no profile: it needs {words.replace(' and ', ', ')}")
said = subprocess.run([mtlcap, "explain", "the", "--rules", "mine.rules"], capture_output=True,
                      text=True).stderr
print(f"'the' may be {', '.join('the-' + name for name in names)}\n" in said)
open("on.rules", "w").write(rules.replace("needs = " + words, "needs = always"))
print(explain("--rules", "on.rules").startswith(f"app {long} good\n"))

# A long word is in a text, or not, to its last letter.
probe = json.loads(subprocess.run([mtlcap, "probe", "--json"], capture_output=True, text=True).stdout)
word = "x" * 70
for name in word, word[:-1]:
    probe["devices"][0]["capabilities"]["name"].update(stock=name, effective=name)
    json.dump(probe, open("probe.json", "w"))
    open("word.rules", "w").write(rules.replace("needs = " + words, f"needs = name~y|{word}"))
    document = json.loads(explain("--rules", "word.rules", "--json", "--from", "probe.json"))
    print(document["devices"][0]["clients"][0]["state"])
P
