"""Uses the Swift package as others do: by version, from a git repository with a tag.

Usage: consumer.py SWIFT SOURCE WORK [--simmetal FILE] [--program NAME=FILE...]

The manifest and the snippets of bindings/swift/README.md are the consumers, and the snippets of the
other documents that have any, and of the documentation comments. Off a Mac each must print, on the simulated Metal, what the comments
after its print() say; on a Mac the first one runs, and the others are built. A C program uses the
product CMTLCap. Programs that are given are built as well, for other tests to run.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

SNIPPET = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAID = re.compile(r"^ *print\(.*\) +// (.*)$", re.MULTILINE)
COMMENTED = re.compile(r"(?<=///\n)((?: *///(?: {5}.*)?\n)+)")
README = "bindings/swift/README.md"
OTHER_DOCUMENTS = ["README.md"]
PACKAGED = ["Package.swift", "LICENSE", "include", "lib", "bindings/swift"]

C_PROGRAM = """\
#include <mtlcap/mtlcap.h>
#include <stdio.h>

int main(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    if (mtlcap_apply_profile("auto", NULL) || mtlcap_query(NULL, "apple", &answer)) {
        fprintf(stderr, "%s\\n", mtlcap_last_error());
        return 1;
    }
    printf("%s\\n", answer.effective.text);
    return mtlcap_restore();
}
"""


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=900, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nconsumer.py: {' '.join(map(str, command))}: "
                 f"exit status {done.returncode}")
    return done.stdout


def make_repository(source, repository):
    """A repository of what the package consists of, tagged with its version."""
    header = (source / "include/mtlcap/mtlcap.h").read_text(encoding="utf-8")
    version = ".".join(re.search(rf"VERSION_{part} (\d+)", header).group(1)
                       for part in ("MAJOR", "MINOR", "PATCH"))
    for name in PACKAGED:
        if (source / name).is_dir():
            shutil.copytree(source / name, repository / name)
        else:
            repository.mkdir(exist_ok=True)
            shutil.copy(source / name, repository / name)
    git = ["git", "-C", repository, "-c", "user.name=test", "-c", "user.email=test@localhost",
           "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
    run(*git, "init", "-q")
    run(*git, "add", ".")
    run(*git, "commit", "-q", "-m", "version")
    run(*git, "tag", version)


def snippets_of(document):
    return SNIPPET.findall(document.read_text(encoding="utf-8")) if document.exists() else []


def snippets_of_comments(folder):
    """A block of a documentation comment follows an empty line of it, and is indented by five."""
    for file in sorted(folder.glob("*.swift")):
        for block in COMMENTED.findall(file.read_text(encoding="utf-8")):
            code = re.sub(r"^ */// {0,5}", "", block, flags=re.MULTILINE)
            if code.strip():
                yield code if "import MTLCap" in code else f"import MTLCap\n{code}"


def make_consumer(source, repository, consumer, others):
    """A package with a program a snippet, and the others. Returns what each of the first is to print."""
    manifest, *snippets = snippets_of(source / README)
    manifest, replaced = re.subn(r'url: "[^"]*"', f'url: "file://{repository}"', manifest)
    if replaced != 1 or len(snippets) < 5:
        sys.exit("consumer.py: the README's manifest or snippets cannot be found")
    for document in OTHER_DOCUMENTS:
        snippets += snippets_of(source / document)
    commented = list(snippets_of_comments(source / "bindings/swift/Sources/MTLCap"))
    if len(commented) < 3:
        sys.exit("consumer.py: the documentation comments' snippets cannot be found")
    snippets += commented
    programs = {}
    for number, code in enumerate(snippets):
        name = "program" if number == 0 else f"program{number}"
        programs[name] = ("main.swift", code, SAID.findall(code))
    programs["c"] = ("main.c", C_PROGRAM, ["7"])
    built = programs | {name: ("main.swift", pathlib.Path(file).read_text(encoding="utf-8"), [])
                        for name, file in others}
    for name, (file, code, _) in built.items():
        (consumer / "Sources" / name).mkdir(parents=True)
        (consumer / "Sources" / name / file).write_text(code, encoding="utf-8")
        if name != "program":
            product = "CMTLCap" if name == "c" else "MTLCap"
            manifest += (f'package.targets.append(.executableTarget(name: "{name}", dependencies: '
                         f'[.product(name: "{product}", package: "libmtlcap")]))\n')
    (consumer / "Package.swift").write_text(manifest, encoding="utf-8")
    return {name: said for name, (_, _, said) in programs.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("swift")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--simmetal")
    parser.add_argument("--program", action="append", default=[], help="NAME=FILE")
    options = parser.parse_args()

    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    repository, consumer = options.work / "libmtlcap", options.work / "consumer"
    make_repository(options.source, repository)
    programs = make_consumer(options.source, repository, consumer,
                             [program.split("=") for program in options.program])

    folders = [f"--{name}-path={options.work / name}" for name in ("cache", "config", "security")]
    built = run(options.swift, "build", "--package-path", consumer, "-j", "2", *folders)
    if "warning:" in built:
        sys.exit(f"{built}\nconsumer.py: the build has warnings")
    pins = (consumer / "Package.resolved").read_text(encoding="utf-8")
    if '"version"' not in pins:
        sys.exit(f"{pins}\nconsumer.py: the package was not resolved by its version")

    environment = dict(os.environ)
    if options.simmetal:
        environment.update(LD_PRELOAD=options.simmetal, SIMMETAL_DEVICES="paravirt")
    else:
        programs = {"program": None}
    failed = False
    for name, said in programs.items():
        printed = run(consumer / ".build/debug" / name, env=environment).splitlines()
        good = printed == said if options.simmetal else printed != []
        failed = failed or not good
        print("ok  " if good else "FAIL", name, printed, "" if good else f"instead of {said}")
    sys.exit(failed)


main()
