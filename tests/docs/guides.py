"""Looks at the guides: their shape, their links, and what only a Mac can run.

Usage: guides.py ROOT --mtlcap FILE

Tests that a guide names exist. Each of its blocks is a `console test`, which transcripts.py runs, a
`sh mac` or `yaml mac`, or `text`. Those for a Mac are listed, so that what is not executed is seen. Each
mtlcap command in them, and in `code`, is given to mtlcap with a program that does nothing in the place
of its own: bad use, and a profile that is malformed, fail.
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SECTIONS = ["Run", "See that it works", "Undo", "Executed here", "Only reported",
            "What can go wrong"]
BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = {"console test", "sh mac", "yaml mac", "text"}
BAD_USE, BAD_PROFILE = 2, 78


def is_mtlcap(word):
    return word == "mtlcap" or word.endswith("/mtlcap")


def commands(text):
    """The arguments of each mtlcap in a shell's text, also in what is quoted for another shell."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(re.sub(r"^\s*- run: ", "", line).replace("$(", "").replace(")", ""))
        for i, word in enumerate(words):
            if is_mtlcap(word):
                yield words[i + 1:]
                break
            if re.search(r"mtlcap [a-z]", word):
                yield from commands(word)


def answer(mtlcap, arguments):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([mtlcap, *arguments], cwd=folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60,
                              env={**os.environ, "SIMMETAL_DEVICES": "none"})


def with_true(arguments):
    if "--" in arguments:
        return [*arguments[:arguments.index("--") + 1], "true"]
    return [*arguments, "--", "true"] if arguments[0] == "run" else arguments


def command_problems(mtlcap, arguments):
    if answer(mtlcap, ["help", arguments[0]]).returncode != 0:
        yield f"there is no command: mtlcap {shlex.join(arguments)}"
    elif len(arguments) > 1:
        done = answer(mtlcap, with_true(arguments))
        if done.returncode in (BAD_USE, BAD_PROFILE):
            yield f"mtlcap {shlex.join(arguments)}: {done.stderr.strip()}"


def test_exists(name, tests):
    """Is there a file of the test's name in the folder of its subject?"""
    subject, rest = name.split(".", 1)
    if name.startswith("docs.guides."):
        return (tests.parent / "docs/guides" / f"{rest.removeprefix('guides.')}.md").exists()
    return any((tests / subject).rglob(f"*{rest}*"))


def page_problems(page, mtlcap):
    text = page.read_text(encoding="utf-8")
    rest = BLOCK.sub("", text)
    said = []
    for kind, block in BLOCK.findall(text):
        if kind not in KINDS:
            yield f"a block of kind '{kind}'; there are {', '.join(sorted(KINDS))}"
        if kind.endswith(" mac"):
            print(f"for a Mac, not executed: {page.name}: " + " ... ".join(block.splitlines()[:2]))
            said += commands(block) if kind == "sh mac" else commands("\n".join(
                line for line in block.splitlines() if "run: " in line))
    for code in re.findall(r"`(mtlcap [^`]+)`", rest):
        said += commands(code)
    for arguments in said:
        yield from command_problems(mtlcap, arguments)
    if re.search(r"^    \S", rest, re.MULTILINE):
        yield "an indented block, which nothing runs"
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", rest):
        if not (page.parent / link).exists():
            yield f"a link to nothing: {link}"
    if page.parent.name == "guides" and page.name != "README.md":
        executed = rest.partition("## Executed here")[2].partition("\n## ")[0]
        for name in re.findall(r"`([a-z]+\.[a-z.-]+)`", executed):
            if not test_exists(name, page.parents[2] / "tests"):
                yield f"there is no test {name}"
        found = re.findall(r"^## (.*)$", rest, re.MULTILINE)
        if found != SECTIONS:
            yield f"the sections are {found}, and not {SECTIONS}"
        if page.name not in (page.parent / "README.md").read_text(encoding="utf-8"):
            yield "it is not in README.md"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--mtlcap", required=True)
    options = parser.parse_args()
    docs = options.root / "docs"
    pages = [*sorted((docs / "guides").glob("*.md")), docs / "host-side.md"]
    bad = [f"FAIL {page.name}: {problem}" for page in pages
           for problem in page_problems(page, options.mtlcap)]
    # The control: bad use, and a malformed profile, are seen.
    for wrong in ("mtlcap run --profle auto -- x", "x 'mtlcap run -p appel.min=7 -- x'",
                  "mtlcap prboe -p auto", "mtlcap run --require apple -- x"):
        if not [problem for arguments in commands(wrong)
                for problem in command_problems(options.mtlcap, arguments)]:
            bad.append(f"FAIL the control: {wrong} is taken for good")
    print("\n".join(bad) or f"{len(pages)} pages")
    sys.exit(bool(bad))


main()
