"""What the product prints about injection, taken from its sources, is what docs/messages.md explains.

Usage: messages.py ROOT [--list]

A message is a string in the sources below that reads as a sentence: so that a new function that
prints cannot be forgotten. In the document a message is a line in a block that begins with
```message; what changes in it stands as <NAME>, and a line that begins with two blanks goes on with
the one before. Both ways must hold:

- each string of the sources is in a message, or in `code`, of the document, the specifiers
  of its format standing for anything;
- each message of the document is a string of the sources, with strings of the sources, or a word,
  for its specifiers.
"""

import argparse
import ast
import functools
import pathlib
import re
import sys

SOURCES = [
    "lib/inject/*.c", "lib/core/*.c", "lib/core/hazards.def", "lib/runtime/*.c", "tools/run*.c",
    "tools/trace.c", "tools/env.c", "tools/injection.c", "tools/insertion.c", "tools/receipt.c",
    "tools/profile_check.c", "tools/doctor.def", "tools/doctor_remedy.c", "tools/doctor_machine.c",
    "bindings/python/mtlcap/order.py",
]
LEFT_OUT = {
    "lib/core/builtins.c": "describes profiles",
    "lib/core/profile_resolve.c": "names a rule",
    "lib/core/explain.c": "only a caller of the API can do it wrong",
    "lib/core/inventory.c": "only a caller of the API can do it wrong",
    "lib/core/trace.c": "only a caller of the API can do it wrong",
    "lib/core/trace_text.c": "names values",
    "lib/core/structure.c": "only a caller of the API can do it wrong",
}
# What is no message, or is one for callers of the API only.
NO_MESSAGES = re.compile(
    r"options(\.(struct_size|nested)| has)|(profile|device|expectation|%s) is NULL|the profile is NULL"
    r"|generation %llu was never|there is no log level|no memory to keep the log|unknown status"
    r"|applied %\.512s: |restored stock answers: "
    r"|--strict, --require$|a program under a profile|what a program asks of|the environment variables that inject"
    r"|(there is no capability )?\"%\.64s\"|: did you mean \"$"
    # What describes a machine.
    r"|kern\.hv|the (model|chip|Metal device) is |it cannot be told|this is not a Mac: the machine"
    r"|cut at the end$|%s: (its )?GPU|off: Apple's|off in part|mtlcap itself|family Apple%s|what the guest's"
    r"|the simulated Metal|the loader$|of libmtlcap|not known here|there is no Metal here")
# In a table of the sources the message is one column: of RULE(...) and HAZARD(...), counted from 0.
COLUMNS = {"RULE": 5, "HAZARD": 4}

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|^[ \t]*#[^\n]*|\'(?:[^\'\\\n]|\\.)+\'|"(?:[^"\\\n]|\\.)*"'
                   r'|\bPRI[A-Za-z0-9]+\b|\s+|\w+|.', re.DOTALL | re.MULTILINE)
SPECIFIER = re.compile(r"%[-+ #0]*[0-9*]*(?:\.[0-9*]+)?(?:hh|h|ll|l|z|j|t)?[diouxXcsp]|%@")


def c_strings(text):
    """The strings of C, those side by side joined."""
    parts = []
    for match in TOKEN.finditer(text):
        token = match.group()
        if token.startswith('"'):
            parts.append(token[1:-1])
        elif token.startswith("PRI") and parts:
            parts.append("d")  # the % is in the string before it
        elif parts and (token.isidentifier() or token == "#"):
            parts.append("" if parts[-1] == "%s" else "%s")  # a macro, which is a string
        elif parts and not token.isspace() and not token.startswith(("/*", "//")):
            yield ast.literal_eval('"' + "".join(parts) + '"')
            parts = []


def python_strings(text):
    """The strings of Python but documentation, an expression in them as %s."""
    tree = ast.parse(text)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
              for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        if id(node) in documentation or id(node) in inside:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "%s"
                          for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def words(text):
    return re.findall(r"[A-Za-z]{2,}", re.sub(r"<[^<>]*>", " ", SPECIFIER.sub(" ", text)))


def is_sentence(text):
    return "\n" not in text and " " in text.strip() and len(words(text)) >= 2


def table_strings(text):
    """The messages of a table: the column that is one."""
    for name, arguments in re.findall(r"^(RULE|HAZARD)\((.*?)\)$", text, re.DOTALL | re.MULTILINE):
        columns = [""]
        for match in TOKEN.finditer(arguments):
            if match.group() == ",":
                columns.append("")
            else:
                columns[-1] += match.group()
        yield from c_strings(columns[COLUMNS[name]] + ";")


def strings_of(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return python_strings(text)
    return table_strings(text) if path.suffix == ".def" else c_strings(text)


def sources(root):
    """Each message, and the file that it is in."""
    found = {}
    for pattern in SOURCES:
        paths = sorted(root.glob(pattern))
        if not paths:
            sys.exit(f"messages.py: there is no {pattern}")
        for path in paths:
            name = str(path.relative_to(root))
            if name not in LEFT_OUT:
                for string in filter(is_sentence, strings_of(path)):
                    if not NO_MESSAGES.match(string):
                        found.setdefault(string, name)
    return found


# ---- the document ----------------------------------------------------------------------------

GAP = "\0"  # what changes in a message
BLOCK = re.compile(r"^```message\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def gaps(text):
    """A message of the document."""
    return re.sub(r"<[A-Z][A-Z ]*>", GAP, text).strip()


def format_gaps(text):
    """One of the sources."""
    if text.startswith("%p for"):
        return text  # a value, not a format
    text = SPECIFIER.sub(GAP, text.replace("%%", "\1")).replace("\1", "%")
    return re.sub(GAP + "+", GAP, text).strip()


def messages(document):
    result = []
    for block in BLOCK.findall(document):
        for line in block.splitlines():
            if line.startswith("  ") and result:
                result[-1] += " " + line.strip()
            else:
                result.append(line)
    return result


@functools.lru_cache(maxsize=None)
def matcher(source):
    return re.compile("(.*?)".join(map(re.escape, format_gaps(source).split(GAP))))


def is_from(text, matchers):
    """Is it one of the sources' strings, with strings of theirs, or less than a sentence, in its
    gaps and around it?"""
    for match in filter(None, (known.search(text) for known in matchers)):
        rest = [text[:match.start()], *match.groups(), text[match.end():]]
        if all(len(words(part)) < 2 or is_from(part, matchers) for part in rest):
            return True
    return False


def missing(known, document):
    told = messages(document) + re.findall(r"`([^`\n]+)`", BLOCK.sub("", document))
    text = "\n".join(map(gaps, told))
    for string, name in known.items():
        if not matcher(string).search(text):
            yield f"{name}: not in docs/messages.md: {string}"


def strange(known, document):
    matchers = [matcher(string) for string in known]
    for message in messages(document):
        if not is_from(gaps(message), matchers):
            yield f"docs/messages.md: no source has it: {message}"


def unnoticed(known, document):
    """The control: that a block is left out must be noticed, but where a format that others have,
    too, stands for it; and a message that nobody prints."""
    blocks = list(BLOCK.finditer(document))
    missed = [block.group(1) for block in blocks
              if not any(missing(known, document[:block.start()] + document[block.end():]))]
    if len(missed) > len(blocks) / 10:
        yield "docs/messages.md is as good without:\n" + "".join(missed)
    for stranger in ("the library has gone home", "applied profile=<PROFILE> to all devices"):
        if not any(strange(known, f"```message\n{stranger}\n```\n")):
            yield f"not noticed: {stranger}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="print what the sources have")
    options = parser.parse_args()
    known = sources(options.root)
    if options.list:
        print("\n".join(f"{name}: {string}" for string, name in known.items()))
        return
    document = (options.root / "docs" / "messages.md").read_text(encoding="utf-8")
    bad = [*missing(known, document), *strange(known, document)]
    bad = bad or list(unnoticed(known, document))
    print("\n".join(bad) or f"{len(known)} strings of the sources, "
                            f"{len(messages(document))} messages explained")
    sys.exit(bool(bad))


main()
