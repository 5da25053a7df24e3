"""Every code block of every document is run by a test, or blocks.txt says why not.

Usage: blocks.py SOURCE BUILD CTEST [TABLE]

A test that runs a block must exist (or be among those that cannot run here), and name its document: in
its command, or in a script that is in the command.
"""

import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

TRANSCRIPT = "console test"
NEEDS_MAC = " mac"  # the end of the fence: ```sh mac


def documents(source):
    listed = subprocess.run(["git", "-C", source, "ls-files", "--cached", "--others",
                             "--exclude-standard", "*.md", "*.md.in"], capture_output=True, text=True)
    names = listed.stdout.split()
    if listed.returncode:  # not a git repository
        names = [str(path.relative_to(source)) for pattern in ("**/*.md", "**/*.md.in")
                 for path in source.glob(pattern) if not str(path).startswith(f"{source}/build")]
    return sorted(name for name in names if (source / name).exists())


def blocks(text):
    """(line, kind, first line) of each block."""
    lines = text.splitlines()
    after_list = number = 0
    while number < len(lines):
        line = lines[number]
        fence = re.match(r"```(.*)$", line)
        if fence:
            yield number + 1, fence[1].strip() or "text", lines[number + 1]
            number += 1
            while lines[number] != "```":
                number += 1
        elif re.match(r" {4}\S", line) and not after_list and (number == 0 or not lines[number - 1]):
            yield number + 1, "indented", line.strip()
            while number + 1 < len(lines) and re.match(r"( {4}|$)", lines[number + 1]):
                number += 1
        elif line.strip():
            after_list = re.match(r"[-*\d]", line) or (after_list and line.startswith(" "))
        number += 1


def read_table(path):
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            document, kind, start, test = (part.strip() for part in line.split("|"))
            yield {"document": document, "kind": kind, "start": start, "test": test, "used": False}


def commands_of_tests(ctest, build):
    """The command of each test by its name, and those that cannot run here."""
    shown = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True,
                           capture_output=True, text=True).stdout
    prefix = re.search(r"^MTLCAP_TEST_PREFIX:\w+=(.*)$", (build / "CMakeCache.txt").read_text(),
                       re.MULTILINE)[1]
    tests = {test["name"].removeprefix(prefix): test.get("command", [])
             for test in json.loads(shown)["tests"]}
    absent = [line.split(":")[0].removeprefix(prefix)
              for line in (build / "tests-not-run.txt").read_text().splitlines()]
    return tests, absent


def names_document(command, document):
    for word in command:
        if word.endswith(document):
            return True
        path = Path(word)
        if path.suffix in (".py", ".sh") and path.is_file():
            text = path.read_text()
            # A script may put the path together, and its folder may be where it starts.
            if document in text or ("/" in document and Path(document).name in text):
                return True
    return False


def wrong(source, build, ctest, table):
    tests, absent = commands_of_tests(ctest, build)
    rows = list(read_table(table))
    checked = {}

    def is_run(test, document):
        if any(test == name or test.startswith(f"{name}.") for name in absent):
            return True
        key = test, document
        if key not in checked:
            checked[key] = test in tests and names_document(tests[test], document)
        return checked[key]

    given = {word for command in tests.values() for word in command}
    count = 0
    for document in documents(source):
        for line, kind, first in blocks((source / document).read_text()):
            count += 1
            where = f"{document}:{line}: {kind}: {first}"
            if kind == TRANSCRIPT:
                paths = [source / document, *(source / document).parents]
                if not given & set(map(str, paths[:2])) and "docs" not in absent:
                    yield f"{where}\n    no test gives the document to transcripts.py"
                continue
            if kind.endswith(NEEDS_MAC):
                continue
            row = next((row for row in rows if fnmatch.fnmatch(document, row["document"])
                        and row["kind"] == kind
                        and (row["start"] == "*" or first.startswith(row["start"]))), None)
            if row is None:
                yield f"{where}\n    no test runs it: have one run it, or say in {table.name} why none does"
                continue
            row["used"] = True
            if not row["test"].startswith("- ") and not is_run(row["test"], document):
                yield f"{where}\n    there is no test {row['test']} that reads {document}"
    for row in rows:
        if not row["used"]:
            yield f"{table.name}: no block is like {' | '.join(list(row.values())[:3])}"
    if count < 60:
        yield f"only {count} blocks were found"
    print(f"{count} blocks")


def main():
    source, build, ctest, *table = sys.argv[1:]
    table = Path(table[0]) if table else Path(__file__).with_name("blocks.txt")
    problems = list(wrong(Path(source), Path(build), ctest, table))
    print(*problems, sep="\n")
    sys.exit(bool(problems))


main()
