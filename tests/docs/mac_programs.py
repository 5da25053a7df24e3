"""Makes programs for a Mac, for `mtlcap doctor` in the guides:  mac_programs.py FOLDER

Signed as published ones are said to be: Ollama's official build with the hardened runtime and without
entitlements, Homebrew's by its linker. They do nothing.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "macho_reader"))
from make_macho import ADHOC, LINKER_SIGNED, RUNTIME, sign, thin  # noqa: E402

PROGRAMS = {
    "Applications/Ollama.app/Contents/Resources/ollama": {"flags": RUNTIME, "team": "TEAM",
                                                          "cms": True},
    "homebrew/bin/llama-server": {"flags": ADHOC | LINKER_SIGNED},
}

for name, signature in PROGRAMS.items():
    path = pathlib.Path(sys.argv[1], name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(sign(thin("arm64"), **signature))
    path.chmod(0o755)
