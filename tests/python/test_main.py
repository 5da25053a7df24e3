"""`python -m mtlcap`: scripts under a profile, and the command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import environment, run

SCRIPT = """
import sys
import mtlcap
print(mtlcap.query("apple").effective, __name__, sys.argv[1:], __file__, sys.path[0])
"""

# Asks the default device for Apple7, as a program that links Metal does.
PROGRAM = """
import ctypes, sys
metal = ctypes.CDLL(None)
metal.MTLCreateSystemDefaultDevice.restype = ctypes.c_void_p
device = ctypes.c_void_p(metal.MTLCreateSystemDefaultDevice())
print(metal.simmetal_ask_with(device, b"supportsFamily:", ctypes.c_int64(1007)), flush=True)
sys.exit(5)
"""

SAFE_PATH = [([], {"PYTHONSAFEPATH": "1"}), (["-P"], {})] if sys.version_info >= (3, 11) else []


@pytest.fixture
def script(work):
    file = work / "script.py"
    file.write_text(SCRIPT)
    return file


def m(*arguments, **options):
    return run("-m", "mtlcap", *arguments, **options)


def test_run_script(script):
    result = m("run", "-p", "apple.min=6", script, "-p", "x", "--", "y")
    assert result.stdout == f"6 __main__ ['-p', 'x', '--', 'y'] {script} {script.parent}\n"
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("options, env, expected", [
    ([], {}, "7"),
    ([], {"MTLCAP_PROFILE": "apple.min=6"}, "6"),
    ([], {"MTLCAP_PROFILE": ""}, "7"),
    (["--profile=apple.max=3"], {"MTLCAP_PROFILE": "apple.min=6"}, "3"),
    (["-p", "apple.min=9", "--allow", "beyond-hardware"], {}, "9"),
    (["-p", "apple.min=9"], {"MTLCAP_ALLOW": "beyond-hardware"}, "9"),
])
def test_run_options(script, options, env, expected):
    result = m("run", *options, script, env=env)
    assert result.stdout.split()[:1] == [expected], result.stderr


def test_run_module(script):
    result = m("run", "-p", "auto", "-m", "script", "a", cwd=script.parent)
    assert result.stdout == f"7 __main__ ['a'] {script} {script.parent}\n", result.stderr


def test_run_standard_input():
    result = m("run", "-", "a", input="import mtlcap, sys\nprint(mtlcap.query('apple').effective, sys.argv)")
    assert (result.stdout, result.stderr) == ("7 ['-', 'a']\n", "")


@pytest.mark.parametrize("options, env", [(["-I"], {}), *SAFE_PATH])
def test_run_with_a_safe_path(work, options, env):
    """The folder of the script is not looked in, and nothing is taken away, as Python itself does."""
    (work / "beside.py").touch()
    (work / "safe.py").write_text("import sys\nprint(sys.path)\nimport beside\n")
    libraries = {"PYTHONPATH": "/libraries"}
    own = run(*options, work / "safe.py", env={**libraries, **env})
    result = run(*options, "-m", "mtlcap", "run", work / "safe.py", env={**libraries, **env})
    assert result.stdout == own.stdout and ("/libraries" in own.stdout) == (options != ["-I"])
    assert "No module named 'beside'" in result.stderr
    (work / "__main__.py").write_text("import beside\nprint('found')")
    assert run(*options, "-m", "mtlcap", "run", work, env=env).stdout == "found\n"


def test_run_disabled(script):
    off = {"MTLCAP_DISABLE": "1"}
    result = m("run", script, env=off)
    assert (result.returncode, result.stdout[:2]) == (0, "5 ")
    assert result.stderr.startswith("mtlcap: MTLCAP_DISABLE=1 is set")
    for options in ["--strict"], ["--require", "apple=5"]:
        result = m("run", *options, script, env=off)
        assert (result.returncode, result.stdout) == (70, ""), result.stderr


def test_run_require_of_the_environment(script):
    require = {"MTLCAP_REQUIRE": "apple>=8,metal=off"}
    result = m("run", script, env=require)
    assert (result.returncode, result.stdout) == (70, "")
    assert "expected apple>=8, found 7" in result.stderr
    assert m("run", "--require", "apple=7", script, env=require).returncode == 0
    result = m("run", script, env={"MTLCAP_REQUIRE": "aple>=7"})
    assert result.returncode == 2 and result.stderr.startswith("mtlcap: MTLCAP_REQUIRE: ")


def test_traceback_begins_in_the_script(work):
    (work / "fails.py").write_text("def divide():\n    1 / 0\ndivide()\n")
    (work / "malformed.py").write_text("def\n")
    for script in work / "fails.py", work / "malformed.py":
        own, result = run(script), m("run", script)
        assert result.stderr == own.stderr and own.stderr


def test_run_folder(work):
    (work / "__main__.py").write_text("import mtlcap\nprint(mtlcap.query('apple').effective)\n")
    assert m("run", work).stdout == "7\n"


@pytest.mark.parametrize("code, status", [("raise SystemExit(3)", 3), ("1 / 0", 1),
                                          ("raise SystemExit('no')", 1), ("pass", 0)])
def test_run_exit_status(work, code, status):
    (work / "exit.py").write_text(code)
    assert m("run", work / "exit.py").returncode == status


def test_run_applies_before_the_first_import(work):
    (work / "first.py").write_text("import sys\nprint('mtlcap' in sys.modules)\n"
                                   "import mtlcap\nprint(mtlcap.is_active())\n")
    assert m("run", work / "first.py").stdout == "True\nTrue\n"


def test_run_with_multiprocessing(work):
    """What the script defines is found by child processes that are started anew."""
    (work / "spawn.py").write_text(
        "import multiprocessing\ndef double(x):\n    return 2 * x\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(double, [1, 2]))\n")
    result = m("run", work / "spawn.py")
    assert result.stdout == "[2, 4]\n", result.stderr


@pytest.mark.parametrize("arguments, words", [
    (["run", "-p", "nonsense", "x.py"], "no such profile"),
    (["run", "-p", "apple.min=9", "x.py"], "beyond-hardware"),
])
def test_run_does_not_run_what_cannot_be_applied(work, arguments, words):
    (work / "x.py").write_text("print('ran')")
    result = m(*arguments, cwd=work)
    assert (result.returncode, result.stdout) == (78, "")
    assert result.stderr.startswith("mtlcap: ") and words in result.stderr
    assert "Traceback" not in result.stderr


def test_run_require(script):
    result = m("run", "-p", "auto", "--require", "apple>=7", "--require=metal=off", "--strict", script)
    assert (result.returncode, result.stderr) == (0, "") and result.stdout.startswith("7 ")
    result = m("run", "-p", "stock", "--require", "apple>=7", "--require", "metal=3", script)
    assert (result.returncode, result.stdout) == (70, "")
    assert result.stderr == ("mtlcap: required, but not so: expected apple>=7, found 5; "
                             "expected metal=3, found off\n")


def test_run_require_malformed(script):
    for expectation, words in (("apple", "is not KEY=VALUE"), ("aple>=7", "did you mean 'apple'?")):
        result = m("run", "--require", expectation, script)
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.startswith("mtlcap: --require: ") and words in result.stderr


@pytest.mark.parametrize("arguments, status, words", [
    (["run", "-p", "auto", "--", "script.py"], 2, "not a script: run script.py"),
    (["run", "--receipt", "r", "script.py"], 2, "run ... -- python job.py"),
    (["run", "python3", "script.py"], 2, "for a program: run ... -- python3"),
])
def test_run_tells_scripts_from_programs(script, arguments, status, words):
    result = m(*arguments, cwd=script.parent)
    assert result.returncode == status and words in result.stderr, result.stderr


def test_run_without_metal(script):
    result = m("run", script, machine=None)
    assert result.returncode == 78 and "no Objective-C runtime" in result.stderr


@pytest.mark.parametrize("arguments", [["run"], ["run", "-p"], ["run", "-m"], ["run", "-x", "y.py"],
                                       ["run", "--allow"], ["run", "-m=json.tool", "y.py"],
                                       ["run", "--strict=no", "y.py"], ["run", "--require=", "y.py"],
                                       ["run", "--profile=", "y.py"]])
def test_run_usage(arguments):
    result = m(*arguments)
    assert result.returncode == 2 and "usage: python -m mtlcap run" in result.stderr
    assert "Traceback" not in result.stderr


def test_run_script_that_is_not_there():
    result = m("run", "/nowhere.py")
    assert result.returncode == 2 and "can't open '/nowhere.py'" in result.stderr


def test_the_command():
    result = m("probe", "-p", "auto", "--expect", "apple>=7")
    assert result.returncode == 0, result.stderr
    assert m("probe", "--expect", "apple>=7").returncode == 1
    assert "like-m1" in m("profiles", "list").stdout
    assert m("no-such-command").returncode == 2


def test_run_of_other_programs_is_the_commands():
    result = m("run", "-p", "auto", "--", sys.executable, "-c", PROGRAM)
    assert (result.returncode, result.stdout) == (5, "1\n"), result.stderr


def test_run_of_the_installed_command_leaves_the_simulated_metal():
    """MTLCAP_SIMMETAL is this package's, in a program that the command runs."""
    from mtlcap.__main__ import package_folder

    command = package_folder() / "bin" / "mtlcap"
    code = "import mtlcap; print(len(mtlcap.devices()), mtlcap.query('apple').effective)"
    result = subprocess.run([command, "run", "-p", "auto", "--", sys.executable, "-c", code],
                            capture_output=True, text=True, env=environment())
    assert (result.returncode, result.stdout) == (0, "1 7\n"), result.stderr


def test_selftest_inserts_the_library_beside_the_simulated_metal():
    result = m("selftest", "--check", "28")
    assert result.returncode == 0 and "applied, interposed" in result.stdout, result.stdout


def test_command_without_metal_says_how_to_have_one():
    assert "MTLCAP_SIMMETAL" in m("probe", machine=None).stderr


@pytest.mark.parametrize("path", ["/nowhere.so", "/tmp"])
def test_command_with_a_wrong_simulated_metal(path):
    result = m("probe", machine=None, env={"MTLCAP_SIMMETAL": path})
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1, result.stderr
    assert f"must be the file libsimmetal.so.0, and '{path}' is not" in result.stderr


def test_help():
    result = m("--help")
    assert result.stdout.startswith("usage: python -m mtlcap run") and "profiles" in result.stdout


def test_entry_point():
    mtlcap = Path(sys.executable).parent / "mtlcap"
    result = subprocess.run([mtlcap, "version"], capture_output=True, text=True, env=environment())
    import mtlcap as package

    assert result.returncode == 0 and package.__version__ in result.stdout


def test_dylib_path():
    result = m("--dylib-path")
    if os.environ["TEST_HAS_INJECT"] == "1":
        path = Path(result.stdout.strip())
        assert path.is_file() and path.name.startswith("libmtlcap-inject.")
    else:
        assert result.returncode == 1 and "no library to inject" in result.stderr
