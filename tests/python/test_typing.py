"""The package's types: consistent in themselves, with what runs, and usable under --strict."""

import subprocess
import sys
from pathlib import Path

import mtlcap
from conftest import environment

PACKAGE = Path(mtlcap.__file__).parent

USER = """
import mtlcap

report: mtlcap.Report = mtlcap.apply("auto", allow=["pytorch-mpp"], late="ignore")
for change in report.changes:
    print(change.capability.upper(), change.derived is True)
if mtlcap.query("apple").effective >= 7 and mtlcap.query("apple", mtlcap.devices()[0]).overridden:
    mtlcap.restore()
found: mtlcap.Check = mtlcap.check("apple>=7")
if not found:
    print(found.message.upper())
try:
    with mtlcap.profile("apple.max=6") as inside:
        print(inside.generation + 1)
except mtlcap.HazardError as error:
    print(error.hazard.upper(), error.status + 1, error.column + 1)


@mtlcap.profile("auto")
def measure(n: int) -> str:
    return str(n)


print(measure(1).upper())
with mtlcap.trace("file", events=3) as traced:
    print(traced.asked + 1)
for question in traced.questions:
    print(question.argument_name.upper(), question.first + 1.0, question.derived is True)
print(traced.events[0].question.answer.upper(), traced.unwatched[0].reason.upper())
"""
WRONG = """
import mtlcap
mtlcap.apply(7)
mtlcap.query("apple").efective
mtlcap.profile("auto", late=True)
mtlcap.apply("auto", late="wrn")
mtlcap.trace(events="many").questions
"""


def mypy(*arguments, cwd):
    return subprocess.run([sys.executable, "-m", *map(str, arguments)], capture_output=True,
                          text=True, cwd=cwd, env=environment())


def test_the_package_is_strict(work):
    result = mypy("mypy", "--strict", "--cache-dir", work / "cache", "-p", "mtlcap", cwd=work)
    assert result.returncode == 0, result.stdout


def test_a_user_is_strict(work):
    (work / "user.py").write_text(USER)
    result = mypy("mypy", "--strict", "--cache-dir", work / "cache", "user.py", cwd=work)
    assert result.returncode == 0, result.stdout


def test_a_users_mistakes_are_found(work):
    (work / "wrong.py").write_text(WRONG)
    result = mypy("mypy", "--strict", "--cache-dir", work / "cache", "wrong.py", cwd=work)
    lines = {line.split(":")[1] for line in result.stdout.splitlines() if ": error:" in line}
    assert lines == {"3", "4", "5", "6", "7"}, result.stdout


def test_what_is_declared_is_there(work):
    # Which it takes for a Union, since it is a Literal of several words.
    (work / "allow").write_text("mtlcap.applying.Late\n")
    result = mypy("mypy.stubtest", "mtlcap", "--ignore-missing-stub", "--allowlist", "allow",
                  cwd=work)
    assert result.returncode == 0, result.stdout


def test_marked_as_typed():
    assert (PACKAGE / "py.typed").is_file()
