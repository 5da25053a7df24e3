"""docs/probe-json.md shows what the command prints, but for a real GPU.

Usage: probe_json.py DOCUMENT MTLCAP
"""

import json
import re
import subprocess
import sys
from pathlib import Path


def probe(mtlcap, *arguments):
    done = subprocess.run([mtlcap, "probe", *arguments, "--json"], check=True, capture_output=True)
    return json.loads(done.stdout)


def differences(shown, printed, path="$"):
    """Where what is shown is not in what is printed, which may have more."""
    if isinstance(shown, dict) and isinstance(printed, dict):
        for name, value in shown.items():
            if name not in printed:
                yield f"{path}.{name} is not printed"
            else:
                yield from differences(value, printed[name], f"{path}.{name}")
    elif isinstance(shown, list) and isinstance(printed, list) and len(shown) == len(printed):
        for index, pair in enumerate(zip(shown, printed)):
            yield from differences(*pair, f"{path}[{index}]")
    elif shown != printed:
        yield f"{path}: {shown!r} is shown, {printed!r} printed"


def main():
    document, mtlcap = Path(sys.argv[1]).read_text(), sys.argv[2]
    whole, part = re.findall(r"^```json\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    shown = json.loads(whole)
    shown["machine"]["simulated"] = True
    wrong = [*differences(shown, probe(mtlcap, "-p", "auto"))]
    printed = probe(mtlcap, "--diff", "stock", "auto")
    wrong += differences(json.loads(f"{{{part}}}"), printed["devices"][0])
    if set(shown) != set(probe(mtlcap, "-p", "auto")):
        wrong.append("other members than these are printed")
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


main()
