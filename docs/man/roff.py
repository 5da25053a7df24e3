"""What manual pages are written in: text, fonts, lists, with man(7) macros that every man knows."""

import re
import textwrap

SPECIAL = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
# In running text: calls of the command in quotes, options and functions; and *emphasis*.
MARKED = re.compile(r"'(?P<call>mtlcap [^']*)'|(?<![\w-])(?P<option>--?[a-z][a-z-]*)(?![\w-])"
                    r"|(?P<function>\bmtlcap_\w+\(\))|(?<!\w)\*(?P<emphasis>\w+)\*")


def plain(text):
    """Text as it is; the caller sees to the beginning of lines."""
    text.encode("ascii")
    return "".join(SPECIAL.get(character, character) for character in text)


def guarded(line):
    """A line that is no request, whatever it begins with."""
    return r"\&" + line if line.startswith((".", r"\(aq", r"\(ga")) else line


def bold(text):
    return rf"\fB{plain(text)}\fR" if text else ""


def italic(text):
    return rf"\fI{plain(text)}\fR" if text else ""


def running(text):
    """Lines of running text, with what people type in bold."""
    text = " ".join(line.strip() for line in text)
    parts, end = [], 0
    for match in MARKED.finditer(text):
        write = italic if match["emphasis"] else bold
        parts += [plain(text[end:match.start()]), write(match[match.lastgroup])]
        end = match.end()
    written = "".join(parts) + plain(text[end:])
    return [guarded(line) for line in textwrap.wrap(written, 79, break_long_words=False,
                                                    break_on_hyphens=False)]


def usage(text):
    """Options and other words to type in bold, what stands for something else in italics."""
    word = re.compile(r"(--?[a-z][a-z-]*|[a-z][\w.-]*)|([A-Z][A-Z]*\b)|(.)", re.S)
    return "".join(bold(m[1] or "") + italic(m[2] or "") + plain(m[3] or "")
                   for m in word.finditer(text))


class Page:
    def __init__(self, name, section, version, summary):
        self.lines = [r'.\" Written by docs/man/pages.py: change what that reads, and run it.',
                      f'.TH {plain(name.upper())} {section} "" "libmtlcap {version}" "libmtlcap"',
                      ".nh", ".ad l"]
        self.section("name")
        self.lines.append(f"{plain(name)} {plain('-')} {plain(summary)}")

    def section(self, title):
        self.lines.append(f".SH {plain(title.upper())}")

    def paragraph(self, text):
        """Lines of running text."""
        if not self.lines[-1].startswith((".SH", ".SS")):
            self.lines.append(".PP")
        self.lines += running(text)

    def subsection(self, title):
        self.lines.append(f".SS {plain(title)}")

    def item(self, term, text):
        """A term that is written already, and lines of running text on it."""
        self.lines += [".TP", term]
        self.lines += running(text)

    def next_line(self, text):
        """A line of running text of its own, below a term or another."""
        if self.lines[-2] != ".TP":
            self.lines.append(".br")
        self.lines += running([text])

    def verbatim(self, lines, write=plain):
        """Lines as they are."""
        if not self.lines[-1].startswith((".SH", ".SS")):
            self.lines.append(".PP")
        self.lines += [".nf", *(guarded(write(line)) for line in lines), ".fi"]

    def text(self):
        return "\n".join(self.lines) + "\n"
