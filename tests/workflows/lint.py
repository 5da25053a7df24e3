"""Checks GitHub's workflows and actions:  lint.py REPOSITORY TOOLS

TOOLS gets the checkers of requirements.txt, by pip. Copies with a fault each must be found faulty:
a checker that has stopped looking is a failure too.
"""

import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# A pinned action, and the version that the hash is of.
PINNED = re.compile(r"^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$")
USES = re.compile(r"^[\s-]*uses:\s*(.*?)\s*$", re.MULTILINE)

# Name, file, and what is replaced by what.
FAULTS = [
    ("an action by its tag", "workflows/ci.yml", r"checkout@[0-9a-f]{40} # v[\d.]+", "checkout@v7"),
    ("a hash without its version", "workflows/ci.yml", r"(checkout@[0-9a-f]{40}) # v[\d.]+", r"\1"),
    ("a short hash", "workflows/release.yml", r"(attest@[0-9a-f]{12})[0-9a-f]{28}", r"\1"),
    ("an unknown expression", "workflows/ci.yml", r"\$\{\{ matrix\.label \}\}",
     "${{ matrix.nope }}"),
    ("an unknown runner", "workflows/ci.yml", r"runs-on: ubuntu-24\.04", "runs-on: ubuntu-24.40"),
    ("a key that does not exist", "workflows/ci.yml", r"timeout-minutes: 120", "time-limit: 120"),
    ("a need that does not exist", "workflows/release.yml", r"needs: \[files", "needs: [filez"),
    ("a fault in a script", "workflows/ci.yml", r"cd files\n", "cd $FOLDER\n"),
    ("text of others in a script", "workflows/ci.yml", r'--label "\$LABEL"',
     '--label "${{ github.event.pull_request.title }}"'),
    ("permission to write everything", "workflows/release.yml", r"permissions:\n  contents: read",
     "permissions: write-all"),
    ("credentials that stay", "workflows/ci.yml", r"        with:\n          persist-.*\n", ""),
    ("an input of the action in its script", "actions/mtlcap/action.yml",
     r'run: python3 "\$GITHUB_ACTION_PATH/action\.py" run',
     'run: python3 action.py run "${{ inputs.command }}"'),
    ("an action without a shell", "actions/mtlcap/action.yml", r"      shell: sh\n", ""),
]


def install(tools):
    """Lets pip download the checkers and check their hashes, once."""
    requirements = (HERE / "requirements.txt").read_text()
    tools.mkdir(parents=True, exist_ok=True)
    with open(tools.parent / "workflow-tools.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX) # another preset may be at the same work
        stamp = tools / "requirements.txt"
        if not stamp.is_file() or stamp.read_text() != requirements:
            shutil.rmtree(tools)
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                            "--require-hashes", "--only-binary=:all:", "--no-cache-dir",
                            "--disable-pip-version-check", "--root-user-action=ignore",
                            "--target", str(tools), "--requirement",
                            str(HERE / "requirements.txt")], check=True)
            stamp.write_text(requirements)
    (actionlint,) = tools.glob("actionlint*/bin/actionlint")
    os.chmod(actionlint, 0o755)
    return actionlint, tools / "bin" / "shellcheck", tools / "bin" / "zizmor"


def problems(root, checkers):
    """Yields what is wrong with the .github folder of root."""
    actionlint, shellcheck, zizmor = checkers
    folder = root / ".github"
    files = sorted([*folder.glob("workflows/*.yml"), *folder.glob("actions/*/action.yml")])
    if len(files) < 3:
        yield f"only {len(files)} files found"
    for file in files:
        for use in USES.findall(file.read_text()):
            if not use.startswith("./") and not PINNED.match(use):
                yield f"{file.name}: uses: {use}: not OWNER/NAME@40-DIGITS # vVERSION"
    for command in ([actionlint, "-no-color", "-shellcheck", shellcheck],
                    [zizmor, "--offline", "--no-progress", "--color=never", "--min-severity=low",
                     "--config", HERE / "zizmor.yml", ".github"]):
        result = subprocess.run([str(word) for word in command], cwd=root, capture_output=True,
                                text=True, timeout=120)
        if result.returncode:
            yield f"{pathlib.Path(command[0]).name}:\n{result.stdout}{result.stderr}"


def copy(repository, folder):
    shutil.copytree(repository / ".github", folder / ".github")
    # actionlint looks for the project's root.
    (folder / ".git").mkdir()
    return folder


def main():
    repository, tools = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    checkers = install(tools)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        found = list(problems(copy(repository, pathlib.Path(scratch, "clean")), checkers))
        failed += bool(found)
        print("\n".join(found) if found else "ok   nothing wrong")
        scripts = [*repository.glob("scripts/*.sh"), repository / "tests" / "run.sh",
                   repository / "tests" / "guest" / "setup.sh"]
        result = subprocess.run([str(checkers[1]), *map(str, scripts)])
        failed += result.returncode != 0
        print(f"{'FAIL' if result.returncode else 'ok  '} {len(scripts)} scripts that they call")
        for number, (name, path, pattern, replacement) in enumerate(FAULTS):
            root = copy(repository, pathlib.Path(scratch, str(number)))
            file = root / ".github" / path
            text, count = re.subn(pattern, replacement, file.read_text(), count=1)
            file.write_text(text)
            holds = count == 1 and any(problems(root, checkers))
            failed += not holds
            print(f"{'ok  ' if holds else 'FAIL'} control: {name}"
                  f"{' is found' if holds else ' is not found' if count else ': nothing to change'}")
    sys.exit(failed > 0)


main()
