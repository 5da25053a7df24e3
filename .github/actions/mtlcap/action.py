"""The steps of action.yml:  action.py install | run

Inputs are environment variables, see there. What later steps are given is a path and outputs: the
variable that inserts the library into programs is never exported, since Apple's own programs, which
a step is full of, can be killed by it.
"""

import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent


class Problem(Exception):
    """What the step fails with."""


def text_input(name):
    return os.environ.get(f"INPUT_{name}", "").strip()


def yes_or_no(name):
    value = text_input(name).lower()
    if value not in ("true", "false"):
        raise Problem(f"input {name.lower()} is '{value}'; it can be true or false")
    return value == "true"


def temporary_folder():
    folder = pathlib.Path(os.environ.get("RUNNER_TEMP") or tempfile.gettempdir())
    return pathlib.Path(tempfile.mkdtemp(prefix="mtlcap-", dir=folder))


def append(variable, text):
    """Adds a line to one of the runner's files."""
    if os.environ.get(variable):
        with open(os.environ[variable], "a", encoding="utf-8") as file:
            file.write(text + "\n")


def annotate(kind, text):
    """notice, warning or error, as the runner reads them from standard output."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::{kind} title=mtlcap::{escaped}", flush=True)


# ---- install ----------------------------------------------------------------


def call(*command, what):
    try:
        code = subprocess.run([str(word) for word in command], stdout=sys.stderr).returncode
    except OSError as error:
        raise Problem(f"{what} failed: {error}") from error
    if code:
        raise Problem(f"{what} failed: {command[0]} ended with {code}")


def install_release(version, sha256, folder):
    repository = os.environ.get("ACTION_REPOSITORY", "")
    server = os.environ.get("GITHUB_SERVER_URL", "")
    if not repository or not server:
        raise Problem("releases are installed from where the action is: use it as "
                      "OWNER/REPOSITORY/.github/actions/mtlcap@COMMIT, or leave version out")
    if len(sha256) != 64 or set(sha256.lower()) - set("0123456789abcdef"):
        raise Problem("input sha256 must be the 64 hexadecimal digits that SHA256SUMS has for "
                      f"mtlcap-{version}-macos.tar.gz")
    name = f"mtlcap-{version}-macos.tar.gz"
    archive = folder / name
    url = f"{server}/{repository}/releases/download/v{version}/{name}"
    try:
        with urllib.request.urlopen(url, timeout=60) as source, open(archive, "wb") as target:
            shutil.copyfileobj(source, target)
    except OSError as error:
        raise Problem(f"the download of {url} failed: {error}") from error
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != sha256.lower():
        raise Problem(f"{name} has the checksum {found}, not {sha256.lower()}: not installed")
    prefix = folder / "prefix"
    prefix.mkdir()
    call("tar", "-xzf", archive, "-C", prefix, "--strip-components", "1", what="unpacking")
    archive.unlink()
    return prefix


def install_sources(folder):
    source, build, prefix = HERE.parents[2], folder / "build", folder / "prefix"
    call("cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
         "-DMTLCAP_BUILD_TESTS=OFF", "-DMTLCAP_BUILD_EXAMPLES=OFF", "-DMTLCAP_BUILD_BENCH=OFF",
         f"-DCMAKE_INSTALL_PREFIX={prefix}", what="configuring")
    call("cmake", "--build", build, "--parallel", os.cpu_count() or 1, what="building")
    call("cmake", "--install", build, what="installing")
    shutil.rmtree(build)
    return prefix


def install():
    version, sha256 = text_input("VERSION"), text_input("SHA256")
    if sha256 and not version:
        raise Problem("input sha256 is for a release: give its version too")
    folder = temporary_folder()
    prefix = install_release(version, sha256, folder) if version else install_sources(folder)
    command = prefix / "bin" / "mtlcap"
    call(command, "version", what="the installed command")
    append("GITHUB_PATH", str(command.parent))
    append("GITHUB_OUTPUT", f"mtlcap={command}")
    return 0


# ---- run --------------------------------------------------------------------


OWN_STEP = ("leave command out, so that the action only installs, and call mtlcap run in a step of "
            "your own after it")

# What is quoted or escaped in a shell's command line.
QUOTED = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.""", re.DOTALL)


def words(command):
    """The words of a command line. What only a shell could do is an error, not done silently."""
    try:
        result = shlex.split(command)
    except ValueError as error:
        raise Problem(f"input command: {error}") from error
    double = " ".join(re.sub(r"\\.", "", part) for part in QUOTED.findall(command)
                      if part.startswith('"'))
    bare = QUOTED.sub("", command)
    found = re.search(r"[|&;<>()*?$`]|(?<!\S)~", bare) or re.search(r"[$`]", double)
    if found:
        raise Problem(f"input command has {found.group()}, which needs a shell, and it is started "
                      f"without one: put it into single quotes, or {OWN_STEP}")
    if not result:
        raise Problem("input command is empty")
    if os.path.basename(result[0]) == "mtlcap":
        raise Problem("input command is what mtlcap run is to start, without mtlcap itself: profile, "
                      f"allow, require, strict and children are inputs. For its other options {OWN_STEP}")
    return result


def read_receipt(path):
    """The receipt, or None if the library was not loaded."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        return None
    except ValueError as error:
        raise Problem(f"the receipt is not JSON: {error}") from error


def changes(receipt):
    """Device, key, stock and effective answer of what differs from stock, rules first."""
    found = [(answer["derived"], device["name"], key, answer["stock"], answer["effective"])
             for device in receipt["devices"] or [] for key, answer in device["answers"].items()
             if answer["stock"] != answer["effective"]]
    return [row[1:] for row in sorted(found, key=lambda row: row[0])]


def shown(answer):
    return "off" if answer is None else str(answer).lower()


def start(arguments, environment):
    """Its exit code, and what mtlcap said; all that is said is passed on at once."""
    said = []

    def pass_on(stream):
        goes_on = False
        for line in stream:
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()
            text = line.decode(errors="replace").strip()
            if text.startswith("mtlcap: "):
                goes_on = text.endswith(":")  # a list of hazards follows
                said.append(text.removeprefix("mtlcap: "))
            elif goes_on:
                said[-1] += " " + text

    with subprocess.Popen(arguments, env=environment, stderr=subprocess.PIPE) as process:
        reader = threading.Thread(target=pass_on, args=(process.stderr,), daemon=True)
        reader.start()
        code = process.wait()
        reader.join(5)  # what the command leaves running may keep it open
        if reader.is_alive():
            process.stderr = None
    unimportant = re.compile(r"not a Mac: |--[^:]*: not confirmed|applied profile=|confirmed by ")
    return (128 - code if code < 0 else code), [text for text in said if not unimportant.match(text)]


def summarise(receipt, profile, said):
    """One sentence for the annotation, and Markdown for the summary of the step."""
    stage = receipt["stage"] if receipt else "not-loaded"
    different = changes(receipt) if receipt else []
    if stage == "applied":
        sentence = f"profile {profile}: " + (
            "; ".join(f"{key} {shown(stock)} -> {shown(now)} ({device})" for device, key, stock, now
                      in different[:3]) or "no answer differs from stock")
        if len(different) > 3:
            sentence += f"; and {len(different) - 3} more"
    elif receipt:
        why = receipt["reason"] or "; ".join(said)
        sentence = f"profile {profile}: {stage}" + (f": {why}" if why else "")
    else:
        why = "; ".join(said) or "the library was not loaded"
        sentence = f"profile {profile}: there is no receipt: {why}"
    lines = [f"### mtlcap: {stage}", "", sentence.replace("<", "&lt;"), ""]
    if different:
        lines += ["| device | answer | stock | now |", "|---|---|---|---|"]
        lines += ["| " + " | ".join(shown(cell).replace("|", "\\|") if index > 1 else cell
                                     for index, cell in enumerate(row)) + " |"
                  for row in different]
    return stage, sentence, "\n".join(lines)


def run():
    command = os.environ.get("ACTION_MTLCAP") or shutil.which("mtlcap")
    if not command:
        raise Problem("mtlcap is not installed: the step install has not run")
    strict, profile = yes_or_no("STRICT"), text_input("PROFILE") or "auto"
    arguments = [command, "run", "-p", profile]
    if strict:
        arguments.append("--strict")
    for option in ("allow", "require", "children"):
        if text_input(option.upper()):
            arguments += [f"--{option}", text_input(option.upper())]
    receipt_file = temporary_folder() / "receipt.json"
    arguments += ["--receipt", str(receipt_file), "--", *words(os.environ["INPUT_COMMAND"])]
    own = ("INPUT_", "ACTION_MTLCAP")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(own)}
    code, said = start(arguments, environment)

    receipt = read_receipt(receipt_file)
    stage, sentence, summary = summarise(receipt, profile, said)
    append("GITHUB_OUTPUT", f"stage={stage}\nreceipt={receipt_file if receipt else ''}")
    append("GITHUB_STEP_SUMMARY", summary)
    applied = stage in ("applied", "hidden", "restored")
    if strict and not applied and not code:
        sentence, code = sentence + " (strict)", 70
    elif applied and code:
        sentence += f"; the command ended with {code}"
    annotate("notice" if applied and not code else "error" if code else "warning", sentence)
    return code


def main():
    steps = {"install": install, "run": run}
    if len(sys.argv) != 2 or sys.argv[1] not in steps:
        sys.exit(__doc__)
    try:
        sys.exit(steps[sys.argv[1]]())
    except Problem as problem:
        annotate("error", str(problem))
        sys.exit(1)


main()
