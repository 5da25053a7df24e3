"""shells.py SHELL MTLCAP COMPLETIONS WORK [BASH-COMPLETION]: lets a real shell complete command lines.

SHELL is a path of bash, zsh or fish. bash and zsh run on a terminal of their own, and keys are typed
there; what is on the line in the end goes to a function, which prints it as the shell understands it.
COMPLETIONS is the folder of the scripts. Each is put where its shell finds it by itself, except that
bash without bash-completion reads it, as people would have it read. Its name ends in -old for a bash
without `compopt`, as on a Mac.
"""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

# Typed, and what the last word is after a tab.
CASES = [
    ("mtlcap ver", "version"),
    ("mtlcap ru", "run"),
    ("mtlcap help haz", "hazards"),
    ("mtlcap profiles cap", "capture"),
    ("mtlcap profiles show github", "github-runner"),
    ("mtlcap run --prof", "--profile"),
    ("mtlcap run -p lum", "lume"),
    ("mtlcap run --profile=lum", "--profile=lume"),
    ("mtlcap run -plum", "-plume"),
    ("mtlcap run -p auto,metal=off,lum", "auto,metal=off,lume"),
    ("mtlcap run -p auto,raytracing_f", "auto,raytracing_from_render=o"),
    ("mtlcap run -p auto,working_set.ma", "auto,working_set.max="),
    ("mtlcap run --allow metal+bare", "metal+bare-metal"),
    ("mtlcap run --timing ear", "early"),
    ("mtlcap run --children=inh", "--children=inherit"),
    ("mtlcap run --log warn", "warning"),
    ("mtlcap run --receipt onlyf", "onlyfile"),
    ("mtlcap run --receipt=onlyf", "--receipt=onlyfile"),
    ("mtlcap run --log info:onlyf", "info:onlyfile"),
    ("mtlcap run -p @onlyf", "@onlyfile"),
    ("mtlcap run -p auto,@onlyf", "auto,@onlyfile"),
    (r"mtlcap run --receipt with\ s", "with space"),
    ("mtlcap probe --expect raytracing_from_render=of", "raytracing_from_render=off"),
    ("mtlcap probe --diff stock lum", "lume"),
    ("mtlcap probe --expect 'threadgroup_mem", "threadgroup_memory"),
    ("mtlcap env --format lau", "launchd"),
    ("mtlcap doctor --machine sip=on,arch=ar", "sip=on,arch=arm64"),
    ("mtlcap run mtlcap-test-pro", "mtlcap-test-program"),
    ("mtlcap run --profile=auto -- mtlcap-test-pro", "mtlcap-test-program"),
    ("mtlcap doctor --machine sip=on mtlcap-test-pro", "mtlcap-test-program"),
    ("mtlcap run -- mtlcap-test-program onlyf", "onlyfile"),
]
# What the shell offers where several are possible. In the shell's own word, quoted as it needs it.
SETS = [
    ("mtlcap probe --expect threadgroup_memory", {
        "threadgroup_memory=", "threadgroup_memory!=", "threadgroup_memory>=",
        "threadgroup_memory<="}),
    ("mtlcap run -p apple", {"apple.min=", "apple.max=", "apple="}),
    ("mtlcap run --timing ", {"late", "early"}),
    ("mtlcap selftest --check ", set()),
]


class Terminal:
    """A shell on a terminal; `line` types keys at its prompt."""

    SECONDS = 30

    def __init__(self, arguments, setup, environment):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execve(arguments[0], arguments, environment)
        self.text = ""
        os.write(self.descriptor, (setup + "\r").encode())
        self.wait("@ready@")

    def wait(self, text):
        end = time.monotonic() + self.SECONDS
        while text not in self.text:
            if time.monotonic() > end:
                sys.exit(f"shells.py: no {text!r} within {self.SECONDS} s, but {self.text!r}")
            if select.select([self.descriptor], [], [], 0.1)[0]:
                self.text += os.read(self.descriptor, 65536).decode(errors="replace")
        before, self.text = self.text.split(text, 1)
        return before

    def line(self, keys, end):
        """Types, puts `show` in front, and returns its arguments."""
        os.write(self.descriptor, (keys + end + "\x01show \r").encode())
        shown = self.wait("@end@")
        self.wait("@ready@")
        return re.findall(r"<(.*?)>\r?\n", shown.split("@begin@", 1)[1], re.S)

    def close(self):
        os.close(self.descriptor)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


# The marks are written so that what is typed does not look like what is printed.
SHOW = "show() { printf '@%s@' begin; printf '<%s>\\n' \"$@\"; printf '@%s@' end; }"


class Bash:
    def __init__(self, path, environment, script, bash_completion):
        setup = []
        if path.endswith("-old"):
            path = path[: -len("-old")]
            setup.append("enable -n compopt")
        setup.append(f"source '{bash_completion or script}'")
        setup += [SHOW, r"bind '\"\C-x\": insert-completions'".replace(r"\"", '"'),
                  "PS1='@rea''dy@'"]
        self.terminal = Terminal([path, "--norc", "--noprofile", "-i"], "; ".join(setup),
                                 environment)

    def complete(self, typed):
        """The words after a tab."""
        return self.terminal.line(typed + "\t", "'" if "'" in typed else "")

    def offers(self, typed):
        """What is offered for the last word."""
        words = len(typed.split()) - (not typed.endswith(" "))
        return [word for word in self.terminal.line(typed + "\x18", "")[words:] if word]

    def close(self):
        self.terminal.close()


class Zsh(Bash):
    def __init__(self, path, environment, script, _):
        setup = [
            f"fpath=('{script.parent}' $fpath)", "autoload -Uz compinit", "compinit -u -D",
            "unsetopt BEEP PROMPT_SP PROMPT_CR ZLE_BRACKETED_PASTE", "zle -C all complete-word _generic",
            "zstyle ':completion:all::::' completer _all_matches _complete",
            "zstyle ':completion:all:*' insert true", "bindkey -e", "bindkey '^X' all", SHOW,
            "PS1='@rea''dy@'",
        ]
        self.terminal = Terminal([path, "-f", "-i"], "; ".join(setup), environment)


class Fish:
    def __init__(self, path, environment, _, __):
        self.path, self.environment = path, environment

    def offers(self, typed):
        quoted = typed.replace("\\", "\\\\").replace("'", "\\'")
        done = subprocess.run([self.path, "-c", f"complete -C '{quoted}'"], env=self.environment,
                              capture_output=True, text=True, timeout=60, check=True)
        if done.stderr:
            sys.exit(f"shells.py: {typed}: {done.stderr}")
        return [line.split("\t")[0] for line in done.stdout.splitlines()]

    def complete(self, typed):
        return [os.path.commonprefix(self.offers(typed))]

    def close(self):
        pass


def prepare(work, mtlcap, completions):
    """A folder to be in, with what is to be completed in it. Returns the environment."""
    shutil.rmtree(work, ignore_errors=True)
    (work / "here").mkdir(parents=True)
    (work / "bin").mkdir()
    (work / "bin/mtlcap").symlink_to(mtlcap)
    program = work / "bin/mtlcap-test-program"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    for name in ("onlyfile", "with space"):
        (work / "here" / name).touch()
    for script, place in (("mtlcap.bash", "bash-completion/completions/mtlcap"),
                          ("_mtlcap", "zsh/site-functions/_mtlcap"),
                          ("mtlcap.fish", "fish/vendor_completions.d/mtlcap.fish")):
        target = work / "share" / place
        target.parent.mkdir(parents=True)
        shutil.copy(completions / script, target)
    os.chdir(work / "here")
    return {
        "HOME": str(work), "TERM": "dumb", "LC_ALL": "C", "COLUMNS": "200", "HISTFILE": "",
        "PATH": f"{work / 'bin'}:{os.environ['PATH']}",
        "XDG_DATA_DIRS": f"{work / 'share'}:/usr/local/share:/usr/share",
        **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")},
    }


def helped_options(mtlcap, command):
    """The options that a command's help and usage tell of, and those that all have."""
    text = subprocess.run([mtlcap, "help", command], capture_output=True, text=True,
                          check=True).stdout
    usage = text.split("\n\n")[1]
    lines = [re.split(r"(?<=\S)  |,? [A-Z]", line.strip())[0] for line in text.splitlines()
             if re.match(r" {2,6}-", line)]
    found = re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", " ".join([*lines, usage]))
    return {*found, "--help", "-h"}


def main():
    shell, mtlcap, completions, work = sys.argv[1:5]
    mtlcap, completions, work = Path(mtlcap).resolve(), Path(completions).resolve(), Path(work)
    environment = prepare(work.resolve(), mtlcap, completions)
    kind = {"bash": Bash, "zsh": Zsh, "fish": Fish}[Path(shell).name.replace("-old", "")]
    script = {Bash: "mtlcap.bash", Zsh: "_mtlcap", Fish: "mtlcap.fish"}[kind]
    shell = kind(shell, environment, completions / script, *sys.argv[5:] or [None])
    failures = 0

    def expect(typed, found, expected):
        nonlocal failures
        if found != expected:
            failures += 1
            print(f"{typed!r}: {found}, not {expected}")

    for typed, expected in CASES:
        expect(typed, shell.complete(typed)[-1], expected)
    for typed, expected in SETS:
        expect(typed, set(shell.offers(typed)), expected)
    commands = subprocess.run([mtlcap, "--complete", ""], capture_output=True, text=True,
                              check=True).stdout
    for command in [line.split("\t")[0] for line in commands.splitlines()]:
        typed = f"mtlcap {command} -"
        expect(typed, set(shell.offers(typed)), helped_options(mtlcap, command))
    shell.close()
    print(f"{len(CASES) + len(SETS)} lines and the options of every command: {failures} wrong")
    sys.exit(failures > 0)


main()
