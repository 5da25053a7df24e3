"""The action's steps, as a runner starts them, on the simulated Metal.

Usage: test_action.py ACTION.PY MTLCAP PROGRAM    (PROGRAM asks Metal for a device)
"""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import tempfile
import unittest

ACTION, MTLCAP, PROGRAM = (pathlib.Path(path).resolve() for path in sys.argv[1:4])


class Step(unittest.TestCase):
    """One step: its files, its inputs, and what came of it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.files = {name: self.folder / name for name in (
            "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV", "GITHUB_STEP_SUMMARY")}
        for file in self.files.values():
            file.touch()
        (self.folder / "temp").mkdir()

    def step(self, name, *inputs, action=ACTION, **environment):
        """Runs a step; inputs are NAME=VALUE."""
        values = {k: v for k, v in os.environ.items()
                  if not k.startswith(("MTLCAP_", "SIMMETAL_", "LD_PRELOAD", "LUME_"))}
        values.update({name: str(file) for name, file in self.files.items()})
        values.update(RUNNER_TEMP=str(self.folder / "temp"), SIMMETAL_DEVICES="paravirt")
        values.update({f"INPUT_{name}": value for name, value in (i.split("=", 1) for i in inputs)})
        values.update(environment)
        self.done = subprocess.run([sys.executable, str(action), name], env=values, text=True,
                                   capture_output=True, timeout=120, cwd=self.folder)
        return self.done.returncode

    def run_step(self, command, *inputs, **environment):
        return self.step("run", "PROFILE=auto", "STRICT=true", f"COMMAND={command}", *inputs,
                         ACTION_MTLCAP=str(MTLCAP), **environment)

    @property
    def outputs(self):
        return dict(line.split("=", 1) for line in
                    self.files["GITHUB_OUTPUT"].read_text().splitlines())

    def annotations(self):
        return [line for line in self.done.stdout.splitlines() if line.startswith("::")]

    def assert_nothing_exported(self):
        self.assertEqual(self.files["GITHUB_ENV"].read_text(), "")


class Install(Step):
    def release(self, server="OWNER/REPOSITORY", script="#!/bin/sh\necho mtlcap 9.9.9\n"):
        """A release as it lies on a server, here a folder; returns its checksum."""
        name = "mtlcap-9.9.9-macos"
        program = self.folder / name / "bin" / "mtlcap"
        program.parent.mkdir(parents=True)
        program.write_text(script)
        program.chmod(0o755)
        target = self.folder / server / "releases" / "download" / "v9.9.9" / f"{name}.tar.gz"
        target.parent.mkdir(parents=True)
        with tarfile.open(target, "w:gz") as archive:
            archive.add(self.folder / name, name)
        return hashlib.sha256(target.read_bytes()).hexdigest()

    def install(self, *inputs):
        return self.step("install", *inputs, ACTION_REPOSITORY="OWNER/REPOSITORY",
                         GITHUB_SERVER_URL=f"file://{self.folder}")

    def test_release(self):
        sha256 = self.release()
        self.assertEqual(self.install("VERSION=9.9.9", f"SHA256={sha256}"), 0, self.done)
        command = pathlib.Path(self.outputs["mtlcap"])
        self.assertTrue(os.access(command, os.X_OK))
        self.assertEqual(self.files["GITHUB_PATH"].read_text(), f"{command.parent}\n")
        self.assert_nothing_exported()

    def test_wrong_checksum(self):
        sha256 = self.release()
        wrong = sha256[:-1] + ("0" if sha256[-1] != "0" else "1")
        self.assertEqual(self.install("VERSION=9.9.9", f"SHA256={wrong}"), 1)
        self.assertIn("not installed", self.done.stdout)
        self.assertEqual(self.files["GITHUB_PATH"].read_text(), "")
        self.assertEqual([path for path in (self.folder / "temp").rglob("mtlcap")], [])

    def test_no_checksum(self):
        self.release()
        self.assertEqual(self.install("VERSION=9.9.9"), 1)
        self.assertIn("64 hexadecimal digits", self.done.stdout)

    def test_no_such_release(self):
        self.assertEqual(self.install("VERSION=1.2.3", f"SHA256={'0' * 64}"), 1)
        self.assertIn("::error title=mtlcap::the download of ", self.done.stdout)

    def test_checksum_without_version(self):
        self.assertEqual(self.install(f"SHA256={'0' * 64}"), 1)
        self.assertIn("give its version", self.done.stdout)

    def test_broken_command(self):
        sha256 = self.release(script="#!/bin/sh\nexit 3\n")
        self.assertEqual(self.install("VERSION=9.9.9", f"SHA256={sha256}"), 1)
        self.assertIn("ended with 3", self.done.stdout)


class Run(Step):
    def test_applied(self):
        self.assertEqual(self.run_step(PROGRAM, "REQUIRE=apple>=7"), 0, self.done)
        self.assertEqual(self.outputs["stage"], "applied")
        receipt = json.loads(pathlib.Path(self.outputs["receipt"]).read_text())
        self.assertEqual(receipt["stage"], "applied")
        (annotation,) = self.annotations()
        self.assertTrue(annotation.startswith("::notice title=mtlcap::profile auto: apple 5 -> 7"),
                        annotation)
        self.assertIn("| Apple Paravirtual device | apple | 5 | 7 |",
                      self.files["GITHUB_STEP_SUMMARY"].read_text())
        self.assert_nothing_exported()

    def test_nothing_to_change(self):
        self.assertEqual(self.run_step(PROGRAM, SIMMETAL_DEVICES="m3-pro"), 0, self.done)
        self.assertIn("no answer differs from stock", self.annotations()[0])

    def test_require_fails(self):
        self.assertEqual(self.run_step(PROGRAM, "REQUIRE=apple>=9"), 70, self.done)
        self.assertTrue(self.annotations()[-1].startswith("::error "), self.done)
        self.assertIn("profile auto: not-met: expected apple>=9, found 7", self.annotations()[-1])
        self.assertEqual(self.annotations()[-1].count("apple>=9"), 1)

    def test_refused(self):
        self.assertNotEqual(self.run_step(PROGRAM, "PROFILE=apple.min=9"), 0)
        self.assertTrue(self.annotations()[-1].startswith("::error "), self.done)
        self.assertIn("beyond-hardware", self.annotations()[-1])
        self.assertNotIn("simulated", self.annotations()[-1])

    def test_refused_and_not_strict(self):
        """A refused profile is a mistake in the workflow: the command is not started."""
        self.assertEqual(self.run_step(PROGRAM, "PROFILE=apple.min=9", "STRICT=false"), 78,
                         self.done)
        self.assertTrue(self.annotations()[-1].startswith("::error "), self.done)

    def test_no_device(self):
        for strict, code, kind in (("true", 70, "error"), ("false", 0, "warning")):
            with self.subTest(strict):
                self.assertEqual(self.run_step("/bin/true", f"STRICT={strict}"), code, self.done)
                self.assertEqual(self.outputs["stage"], "loaded")
                self.assertTrue(self.annotations()[-1].startswith(f"::{kind} "), self.done)
                self.assertIn("ended without asking Metal for a device", self.annotations()[-1])

    def test_script_of_a_shell(self):
        """It is refused with the reason in the annotation; children that inherit are looked at."""
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\n'{PROGRAM}'\n")
        script.chmod(0o755)
        self.assertEqual(self.run_step(script), 70, self.done)
        self.assertEqual(self.outputs["stage"], "not-loaded")
        self.assertIn("is a script of a shell", self.annotations()[-1])
        self.assertEqual(self.run_step(script, "CHILDREN=inherit"), 0, self.done)
        self.assertEqual(self.outputs["stage"], "applied")

    def test_no_such_program(self):
        self.assertEqual(self.run_step("no-such-program"), 127, self.done)
        self.assertIn("there is no program 'no-such-program'", self.annotations()[-1])

    def test_mtlcap_itself(self):
        for command in (f"mtlcap run -- {PROGRAM}", f"{MTLCAP} run -- {PROGRAM}"):
            self.assertEqual(self.run_step(command), 1)
            self.assertIn("call mtlcap run in a step of your own", self.annotations()[-1])

    def test_what_it_says_is_passed_on(self):
        self.run_step(PROGRAM, "REQUIRE=apple>=9")
        self.assertIn("mtlcap: what was required does not hold", self.done.stderr)

    def test_what_is_left_running(self):
        """It holds standard error open, and is not waited for."""
        script = self.folder / "leaves"
        script.write_text("#!/bin/sh\nsleep 60 >/dev/null & echo $! >pid\n")
        script.chmod(0o755)
        self.assertEqual(self.run_step(script, "STRICT=false"), 0, self.done)
        os.kill(int((self.folder / "pid").read_text()), signal.SIGTERM)

    def test_allowed(self):
        self.assertEqual(self.run_step(PROGRAM, "PROFILE=apple.min=9", "ALLOW=beyond-hardware"), 0,
                         self.done)
        self.assertEqual(self.outputs["stage"], "applied")

    def test_exit_status(self):
        script = self.folder / "ends-with-5"
        script.write_text(f"#!/bin/sh\n'{PROGRAM}' >/dev/null || exit 99\nexit 5\n")
        script.chmod(0o755)
        self.assertEqual(self.run_step(script, "STRICT=false"), 5, self.done)

    def test_signal(self):
        script = self.folder / "ends-itself"
        script.write_text("#!/bin/sh\nkill -TERM $$\n")
        script.chmod(0o755)
        self.assertEqual(self.run_step(script, "STRICT=false"), 128 + signal.SIGTERM, self.done)

    def test_words(self):
        script = self.folder / "prints"
        script.write_text("#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done\n")
        script.chmod(0o755)
        self.run_step(f"""{script} a 'b c' "d's" e\\ f '|' '$HOME' --x="y z"\n g""", "STRICT=false")
        self.assertIn("<a><b c><d's><e f><|><$HOME><--x=y z><g>", self.done.stdout)

    def test_what_needs_a_shell(self):
        for command in ("a | b", "a;b", "a > f", "a $HOME", 'a "$HOME"', "a `b`", "a *.c", "a ~/f",
                        "a && b", "a 'b", "", " "):
            with self.subTest(command):
                self.assertEqual(self.run_step(command), 1)
                self.assertTrue(self.annotations()[0].startswith("::error title=mtlcap::input"))

    def test_annotation_is_one_line(self):
        self.run_step(PROGRAM, "PROFILE=auto\n::warning::forged")
        self.assertFalse(any(line.startswith("::warning::forged")
                             for line in self.done.stdout.splitlines()), self.done.stdout)

    def test_strict_is_a_word(self):
        self.assertEqual(self.run_step(PROGRAM, "STRICT=yes"), 1)

    def test_not_installed(self):
        self.assertEqual(self.step("run", "STRICT=true", "COMMAND=a", PATH=str(self.folder)), 1)
        self.assertIn("not installed", self.done.stdout)


class Files(unittest.TestCase):
    def test_inputs_are_the_ones_that_are_read(self):
        """Each input in action.yml reaches the script, and the script reads no other."""
        yml, script = ACTION.with_name("action.yml").read_text(), ACTION.read_text()
        inputs = yml.split("inputs:\n")[1].split("\noutputs:")[0]
        names = {line.strip(" :").upper().replace("-", "_") for line in inputs.splitlines()
                 if line.startswith("  ") and not line.startswith("   ")}
        passed = {line.split(":")[0].strip().removeprefix("INPUT_")
                  for line in yml.splitlines() if line.strip().startswith("INPUT_")}
        self.assertEqual(names - {"WORKING_DIRECTORY"}, passed)
        for name in passed:
            self.assertTrue(f'"{name}"' in script or f"INPUT_{name}" in script
                            or f'"{name.lower()}"' in script, name)

    def test_readme_has_each_input(self):
        yml, readme = ACTION.with_name("action.yml").read_text(), ACTION.with_name(
            "README.md").read_text()
        for line in yml.split("inputs:\n")[1].split("\nruns:")[0].splitlines():
            if line.startswith("  ") and not line.startswith("   "):
                self.assertIn(f"`{line.strip(' :')}`", readme)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
