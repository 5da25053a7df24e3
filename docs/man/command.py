"""Manual pages of the command, from what `mtlcap help` prints."""

import collections
import itertools
import re
import subprocess

import roff


def call(mtlcap, *arguments):
    return subprocess.run([mtlcap, *arguments], capture_output=True, text=True, check=True).stdout


def blocks(text):
    """Lines between empty ones, further divided where lines at the margin and indented ones meet."""
    for block in re.split(r"\n\n+", text.rstrip("\n")):
        for indented, lines in itertools.groupby(block.split("\n"), lambda l: l.startswith(" ")):
            yield indented, list(lines)


def indent(line):
    return len(line) - len(line.lstrip())


def rows(lines):
    """The terms of a list in a help, each with the lines of text on it."""
    least = min(map(indent, lines))

    def begins(line):
        return indent(line) == least or (indent(line) < 8 and line.lstrip().startswith("-"))

    # The column of the text: most lines agree on it.
    columns = [indent(line) for line in lines if not begins(line)]
    columns += [match.end() for match in
                (re.match(r" *\S.*?  +(?=\S)", line) for line in lines if begins(line)) if match]
    column = collections.Counter(columns).most_common(1)[0][0] if columns else 0
    found = []
    for line in lines:
        if not begins(line):
            found[-1][1].append(line.strip())
            continue
        match = re.match(r" *(\S.*?)  +(\S.*)", line)
        if match:
            found.append((match[1], [match[2]]))
        elif line.lstrip().startswith("-") and line[column - 1:column] == " ":
            found.append((line[:column].strip(), [line[column:]]))
        else:
            found.append((line.strip(), []))
    return found


def write_list(page, lines):
    for term, text in rows(lines):
        if text:
            page.item(roff.usage(term), text)
        else:
            page.paragraph([term])


HEADINGS = {"exit codes": "exit status"}


def sections(text):
    """What a help has below its usage, by the sections of a manual page, each a list of blocks."""
    found = collections.defaultdict(list)
    heading = None
    for indented, lines in blocks(text):
        if not indented and len(lines) == 1 and re.fullmatch(r"[a-z]+( [a-z]+)?", lines[0]):
            heading = HEADINGS.get(lines[0], lines[0])
        elif heading and indented:
            found[heading].append((indented, lines))
        else:
            heading = None
            is_options = indented and any(line.lstrip().startswith("-") for line in lines)
            is_status = not indented and lines[0].startswith("The exit code is")
            where = "options" if is_options else "exit status" if is_status else "description"
            found[where].append((indented, lines))
    return found


def write_section(page, title, parts):
    if not parts:
        return
    page.section(title)
    for indented, lines in parts:
        if not indented:
            page.paragraph(lines)
        elif title == "examples":
            page.verbatim([line[2:] for line in lines])
        else:
            write_list(page, lines)


def see_also(page, text, names, own):
    """The pages of the commands that a text tells of."""
    mentioned = {name for name in re.findall(r"mtlcap (?:help )?([a-z]+)", text) if name in names}
    pages = ["mtlcap(1)", *sorted(f"mtlcap-{name}(1)" for name in mentioned - {own})]
    page.section("see also")
    page.lines.append(",\n".join(roff.bold(name[:-3]) + name[-3:] for name in pages))


def subcommand(mtlcap, version, names, name):
    text = call(mtlcap, "help", name)
    summary, usage, rest = (text.split("\n\n", 2) + [""])[:3]
    page = roff.Page(f"mtlcap-{name}", 1, version, summary.split(": ", 1)[1])
    page.section("synopsis")
    page.verbatim([line[7:] for line in usage.split("\n")], roff.usage)
    found = sections(rest)
    write_section(page, "description", found.pop("description"))
    write_section(page, "options", found.pop("options", None))
    status = found.pop("exit status", None)
    if status:
        write_section(page, "exit status", status)
    else:
        page.section("exit status")
        page.paragraph(["Those of mtlcap(1)."])
    page.section("environment")
    page.paragraph(["The variables of mtlcap(1)."])
    for title in sorted(found, key=lambda title: title == "examples"):
        write_section(page, title, found[title])
    see_also(page, rest, names, name)
    return page


# ---- mtlcap(1): the overview and the topics ---------------------------------


def write_topic(page, title, text):
    """A topic as a section; what it has under headings follows below them."""
    found = sections(text)
    write_section(page, title, found.pop("description"))
    for heading, parts in found.items():
        page.lines.append(f".SS {heading.capitalize()}")
        for _, lines in parts:
            if heading == "examples":
                page.verbatim([line[2:] for line in lines])
            else:
                page.paragraph([", ".join(line.strip() for line in lines)])


def write_keys(page, text):
    header, *lines = text.rstrip("\n").split("\n")
    starts = [header.index(title) for title in ("key", "Metal's", "can be", "what")]
    page.section("keys")
    page.paragraph(["Metal's questions, as profiles name them; in parentheses what a profile can do."])
    for line in lines:
        key, selector, change, what = (line[a:b].strip() for a, b in
                                       zip(starts, [*starts[1:], None]))
        page.item(roff.bold(key), [f"{what}. {selector} ({change})"])


def write_hazards(page, text):
    page.section("hazards")
    page.paragraph(["What is refused, or warned about, unless it is allowed by name: --allow."])
    for block in text.rstrip("\n").split("\n\n"):
        name, *lines = block.split("\n")
        page.item(roff.usage(name), [])
        for line in lines:
            page.next_line(re.sub(r" +", " ", line))


def write_environment(page, text):
    page.section("environment")
    page.item(roff.bold("NO_COLOR"), ["Not empty: no colours on a terminal."])
    page.item(roff.bold("SIMMETAL_DEVICES"), ["Off a Mac: see SIMULATED MACHINES."])
    for block in text.rstrip("\n").split("\n\n"):
        first, *lines = block.split("\n")
        match = re.match(r"([A-Z_]+)=(\S+)(?:  (.*))?$", first)
        if match:
            default = f" {roff.plain(match[3])}" if match[3] else ""
            page.item(f"{roff.bold(match[1])}={roff.italic(match[2])}{default}", lines)
        else:
            page.paragraph([first, *lines])


FILES = [
    ("../lib/libmtlcap-inject.dylib", "The library that mtlcap run puts into programs; off a Mac"
     " libmtlcap-inject.so. Paths are from the folder of the command."),
    ("../include/mtlcap/mtlcap.h", "The C API: mtlcap(3)."),
    ("../share/doc/mtlcap", "Documentation: docs/injection.md, docs/doctor.md and others."),
]


def overview(mtlcap, version, names):
    text = call(mtlcap, "help")
    parts = text.rstrip("\n").split("\n\n")
    topic = lambda name: call(mtlcap, "help", name)
    summary = parts[0].split(": ", 1)[1]
    page = roff.Page("mtlcap", 1, version, summary)
    page.section("synopsis")
    page.verbatim([parts[1].removeprefix("usage: ")], roff.usage)
    page.section("description")
    page.paragraph([summary[0].upper() + summary[1:] + ".", *parts[-1].split("\n")])
    page.section("commands")
    for term, what in rows(parts[2].split("\n")[1:]):
        page.item(f"{roff.bold(f'mtlcap-{term}')}(1)", what)
    page.section("options")
    for option, what in (line.split("\t") for line in call(mtlcap, "--complete", "--").splitlines()):
        page.item(roff.bold(option), [what])
    write_topic(page, "profiles", topic("language"))
    write_keys(page, topic("keys"))
    write_hazards(page, topic("hazards"))
    write_topic(page, "simulated machines", topic("machines"))
    write_environment(page, topic("environment"))
    page.section("exit status")
    write_list(page, topic("exit-codes").rstrip("\n").split("\n"))
    page.section("files")
    for path, what in FILES:
        page.item(roff.bold(path), [what])
    page.section("examples")
    first = {name: re.search(r"\nexamples\n  (.*)\n", call(mtlcap, "help", name)) for name in names}
    page.verbatim([match[1] for match in first.values() if match])
    page.section("see also")
    page.lines.append(",\n".join([*(f"{roff.bold(f'mtlcap-{name}')}(1)" for name in sorted(names)),
                                  f"{roff.bold('mtlcap')}(3)"]))
    return page


def pages(mtlcap):
    """Names of files, and what is in them."""
    version = call(mtlcap, "version").split()[1]
    names = [line.split("\t")[0] for line in call(mtlcap, "--complete", "").splitlines()]
    yield "mtlcap.1", overview(mtlcap, version, names).text()
    for name in names:
        yield f"mtlcap-{name}.1", subcommand(mtlcap, version, names, name).text()
