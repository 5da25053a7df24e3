"""The manual page of the API, from the public header: its comments, and what they stand above."""

import re

import roff

COMMENT = re.compile(r"/\*(.*?)\*/", re.S)


def comment_lines(comment):
    """The lines in a comment, without what makes it one."""
    lines = [re.sub(r"^ ?\*( |$)", "", line) for line in comment.strip("\n").split("\n")]
    return "\n".join(line.rstrip() for line in lines).strip("\n").split("\n")


def write_comment(page, comment):
    for block in "\n".join(comment_lines(comment)).split("\n\n"):
        lines = block.split("\n")
        if all(line.startswith("    ") for line in lines):
            page.verbatim([line[4:] for line in lines])
        elif all(re.match(r"\w+  +\S|    ", line) for line in lines):
            write_arguments(page, lines)
        else:
            page.paragraph(lines)


def write_arguments(page, lines):
    for argument in re.split(r"\n(?! )", "\n".join(lines)):
        name, text = argument.split(None, 1)
        page.item(roff.italic(name), text.split("\n"))


def one_line(text):
    return " ".join(text.split())


def function_lines(declaration):
    """A declaration, its parameters on lines of their own where they do not fit on one."""
    text = one_line(declaration.replace("MTLCAP_API ", ""))
    if len(text) <= 72:
        return [text]
    first, *rest = text.split(", ")
    return ",\n".join([first, *("    " + parameter for parameter in rest)]).split("\n")


def write_functions(page, functions):
    names = [re.search(r"\(\*(\w+)\)|(\w+)\(", function) for function in functions]
    page.subsection(", ".join(name[1] or f"{name[2]}()" for name in names))
    page.verbatim([line for function in functions for line in function_lines(function)], roff.bold)


def write_structure(page, name, body, comment):
    page.subsection(f"struct {name}")
    if comment:
        write_comment(page, comment)
    for member, comment in re.findall(r"(\w[^;]*;)[ \n]*(?:/\*(.*?)\*/)?", body, re.S):
        if "struct_size" not in member:
            page.item(roff.bold(one_line(member.rstrip(";"))),
                      [one_line(" ".join(comment_lines(comment)))] if comment else [])


def write_macros(page, code):
    for name, value in re.findall(r"#define (\w+)([^\n]*)", code):
        comment = COMMENT.search(value)
        if not name.endswith("_INIT"):
            page.item(roff.bold(name), [comment[1].strip()] if comment else [])


def write_chunk(page, chunk):
    """What is declared or defined, and the comment on it, or one of them."""
    match = COMMENT.match(chunk)
    comment = match[1] if match else None
    code = re.sub(r"\\\n", " ", chunk[match.end():] if match else chunk).strip()
    statuses = re.findall(r'X\((\w+), (-?\d+), +"(.*?)"\)', code)
    structure = re.match(r"struct (\w+) \{\n(.*?)\n\};", code, re.S)
    functions = re.findall(r"(?:MTLCAP_API|typedef) [^;]*;", code)
    if structure:
        write_structure(page, structure[1], structure[2], comment)
        write_macros(page, code[structure.end():])
        return
    if functions:
        write_functions(page, functions)
    if comment:
        write_comment(page, re.sub(r"\n \* X\(.*\)", "", comment))
    if statuses:
        for name, number, meaning in statuses:
            page.item(f"{roff.bold('MTLCAP_' + name)} ({roff.plain(number)})", [meaning])
    elif code.startswith("#define"):
        write_macros(page, code)
    elif code and not functions and not code.startswith("enum mtlcap_status"):
        raise SystemExit(f"header.py: what is this? {code}")


def chunks(text):
    """Divides at empty lines, but not within comments and braces."""
    chunk = []
    for line in text.strip("\n").split("\n"):
        so_far = "\n".join(chunk)
        is_inside = so_far.count("/*") > so_far.count("*/") or so_far.count("{") > so_far.count("}")
        if line or is_inside:
            chunk.append(line)
        elif chunk:
            yield so_far
            chunk = []
    if chunk:
        yield "\n".join(chunk)


def page(path):
    text = path.read_text(encoding="utf-8")
    version = ".".join(re.findall(r"#define MTLCAP_VERSION_M\w+ (\d+)|_PATCH (\d+)\n", text)[i][i // 2]
                       for i in range(3))
    introduction = COMMENT.match(text)[1]
    _, summary = introduction.strip(" *\n").split("\n")[0].split(": ", 1)
    result = roff.Page("mtlcap", 3, version, summary.rstrip("."))
    result.section("synopsis")
    result.verbatim(["#include <mtlcap/mtlcap.h>", "",
                     "cc program.c $(pkg-config --cflags --libs mtlcap)"], roff.bold)
    result.section("description")
    write_comment(result, introduction.split("\n *\n", 1)[1])
    _, *parts = re.split(r"/\* -{4} (.*?) -+ \*/\n", text)
    for title, part in zip(parts[::2], parts[1::2]):
        result.section(title)
        for chunk in chunks(part.split("#ifdef __cplusplus")[0]):
            write_chunk(result, chunk)
    result.section("see also")
    result.lines.append(f"{roff.bold('mtlcap')}(1)")
    return result.text()
