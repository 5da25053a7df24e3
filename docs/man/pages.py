"""Writes the manual pages beside it.

    python3 docs/man/pages.py MTLCAP [--check]

MTLCAP is the command, built from the same sources off a Mac, where it knows the simulated machines:
mtlcap(1) and the pages of the subcommands are its help. mtlcap(3) is the public header. With --check
nothing is written: it fails if a page would change.
"""

import sys
from pathlib import Path

import command
import header

FOLDER = Path(__file__).parent


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    wanted = dict(command.pages(sys.argv[1]))
    wanted["mtlcap.3"] = header.page(FOLDER.parent.parent / "include/mtlcap/mtlcap.h")
    there = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.[13]")}
    changed = sorted(name for name in {*wanted, *there} if wanted.get(name) != there.get(name))
    if sys.argv[2:]:
        if changed:
            sys.exit(f"pages.py: not as the help or the header says: {', '.join(changed)}; run"
                     " docs/man/pages.py")
        return
    for name in changed:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
        print(name)


main()
