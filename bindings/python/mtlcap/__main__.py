"""The command: ``python -m mtlcap``.

``run`` of a Python script happens in this very process; everything else is the mtlcap command that
the package carries.
"""

import os
import sys
import types
from pathlib import Path
from shutil import which
from types import FrameType, TracebackType
from typing import NoReturn, Optional

USAGE = """\
usage: python -m mtlcap run [OPTION...] SCRIPT [ARGUMENT...]
       python -m mtlcap run [OPTION...] -m MODULE [ARGUMENT...]
           Applies a profile, then runs a Python script (-: standard input) or module in this
           interpreter. Its child processes are not affected. With MTLCAP_DISABLE=1 nothing is
           applied. Options:
             -p, --profile PROFILE    default: that of MTLCAP_PROFILE, else auto
             --allow NAMES            hazards consented to, joined by +
             --require EXPECTATION    every device must answer so ('apple>=7'), or nothing is run,
                                      and the exit code is 70; can be given several times;
                                      default: those of MTLCAP_REQUIRE
             --strict                 what it always is: if the profile cannot be applied nothing
                                      is run, and the exit code is 78
       python -m mtlcap run [OPTION...] -- PROGRAM [ARGUMENT...]
           Runs another program, by the mtlcap command: run ... -- python job.py
       python -m mtlcap --dylib-path
           Prints the path of the library to be injected into other programs.
       python -m mtlcap COMMAND [ARGUMENT...]
           Everything else is the mtlcap command:
"""
CANNOT_APPLY = 78  # EX_CONFIG, as the injected library's under MTLCAP_STRICT=1
NOT_MET = 70  # as the injected library's under MTLCAP_REQUIRE


class UsageError(Exception):
    """The command line is not one that can be run."""


class ForCommand(Exception):
    """``run ... -- PROGRAM``: it is the mtlcap command that runs other programs."""


def package_folder() -> Path:
    """Where the package's libraries and its command are; its Python may be elsewhere (editable)."""
    from . import _mtlcap

    return Path(_mtlcap.__file__ or "").parent


def inject_library() -> Optional[Path]:
    """The library to be injected, if this build of the package has it."""
    return next(iter(sorted((package_folder() / "lib").glob("libmtlcap-inject.*"))), None)


class Run:
    """What the command line of ``run`` asks for."""

    def __init__(self, arguments: list[str]) -> None:
        self.profile = os.environ.get("MTLCAP_PROFILE") or "auto"
        self.allow = os.environ.get("MTLCAP_ALLOW", "")
        self.require: list[str] = []
        self.strict = False
        self.module = False
        rest = list(arguments)
        while rest and rest[0].startswith("-") and rest[0] != "-":
            option, given, value = rest.pop(0), "", ""
            if option.startswith("--"):
                option, given, value = option.partition("=")
            if option == "-m":
                self.module = True
                break
            if option == "--strict" and not given:
                self.strict = True
                continue
            if option not in ("-p", "--profile", "--allow", "--require"):
                if option == "--":
                    self._check_program(rest)
                if "--" in [option, *rest]:
                    raise ForCommand
                raise UsageError(
                    f"run: a script has no option '{option}{given}'; for a program, with all of them: "
                    "run ... -- python job.py"
                )
            if not given and rest:
                value = rest.pop(0)
            elif not value and option != "--allow" or not given:
                raise UsageError(f"run: {option} needs a value")
            if option == "--allow":
                self.allow = value
            elif option == "--require":
                self.require.append(value)
            else:
                self.profile = value
        if not rest:
            raise UsageError(f"run: which {'module' if self.module else 'script'}?")
        self.target, self.arguments = rest[0], rest[1:]
        self.required_by = "--require"
        if not self.require and os.environ.get("MTLCAP_REQUIRE"):
            self.require = os.environ["MTLCAP_REQUIRE"].split(",")
            self.required_by = "MTLCAP_REQUIRE"

    @staticmethod
    def _check_program(words: list[str]) -> None:
        if words and words[0].endswith(".py") and os.path.isfile(words[0]) and not which(words[0]):
            raise UsageError(f"run: what follows -- is a program, not a script: run {words[0]}")


def _check_required(options: Run) -> None:
    """That expectations can be understood, before anything is done."""
    from ._native import call, encode, ffi, lib
    from .errors import Error

    for expectation in options.require:
        try:
            call(lib.mtlcap_check_answer, ffi.NULL, encode(expectation, "it"), ffi.NULL)
        except Error as error:
            print(f"mtlcap: {options.required_by}: {error}", file=sys.stderr)
            sys.exit(2)


def _apply(options: Run) -> None:
    """Puts the profile in force, or ends the process."""
    import mtlcap

    from ._native import ON

    _check_required(options)
    disable = os.environ.get("MTLCAP_DISABLE")
    if disable in ON:
        print(f"mtlcap: MTLCAP_DISABLE={disable} is set, which turns the library off everywhere",
              file=sys.stderr)
        if options.strict or options.require:
            sys.exit(NOT_MET)
        return
    try:
        mtlcap.apply(options.profile, allow=options.allow)
        checks = [mtlcap.check(e, device) for device in mtlcap.devices() for e in options.require]
    except mtlcap.Error as error:
        print(f"mtlcap: {error}", file=sys.stderr)
        sys.exit(CANNOT_APPLY)
    failed = [check.message for check in checks if not check]
    if failed:
        print(f"mtlcap: required, but not so: {'; '.join(failed)}", file=sys.stderr)
        sys.exit(NOT_MET)


def run(options: Run) -> None:
    """Applies a profile, and runs a script or a module as Python itself would."""
    _apply(options)
    target = options.target
    # Has Python put a folder first? Not with -P, -I or PYTHONSAFEPATH.
    is_placed = not (sys.flags.isolated or getattr(sys.flags, "safe_path", False))
    sys.argv[:] = [target, *options.arguments]
    if options.module:
        import runpy

        if is_placed:
            sys.path[0] = os.getcwd()
        runpy.run_module(target, run_name="__main__", alter_sys=True)
    elif os.path.isdir(target) or target.endswith((".zip", ".pyz")):
        import runpy

        sys.path[: int(is_placed)] = [target]
        runpy.run_path(target, run_name="__main__")
    else:
        if is_placed:
            sys.path[0] = "" if target == "-" else os.path.dirname(os.path.realpath(target))
        _run_script(target)


def _run_script(path: str) -> None:
    """Runs a file as the program: its module stays in place until the process ends, and child
    processes of multiprocessing find it."""
    main_module = types.ModuleType("__main__")
    main_module.__dict__["__builtins__"] = __builtins__
    if path == "-":
        source, path = sys.stdin.buffer.read(), "<stdin>"
    else:
        try:
            with open(path, "rb") as file:
                source = file.read()
        except OSError as error:
            program = f"; for a program: run ... -- {path}" if which(path) else ""
            print(f"mtlcap: can't open '{path}': {error.strerror}{program}", file=sys.stderr)
            sys.exit(2)
        main_module.__file__ = os.path.abspath(path)
    sys.modules["__main__"] = main_module
    _begin_tracebacks_below(sys._getframe())
    exec(compile(source, path, "exec"), main_module.__dict__)


def _begin_tracebacks_below(frame: Optional[FrameType]) -> None:
    """What runs the script is no part of it."""
    runners = set()
    while frame is not None:
        runners.add(frame.f_code)
        frame = frame.f_back
    hook = sys.excepthook

    def of_the_script(kind: type[BaseException], error: BaseException,
                      trace: Optional[TracebackType]) -> None:
        while trace is not None and trace.tb_frame.f_code in runners:
            trace = trace.tb_next
        hook(kind, error.with_traceback(trace), trace)

    sys.excepthook = of_the_script


def command(arguments: list[str]) -> NoReturn:
    """Becomes the mtlcap command."""
    from ._native import simulated_problem

    if simulated_problem:
        print(f"mtlcap: {simulated_problem}", file=sys.stderr)
        sys.exit(2)
    path = package_folder() / "bin" / "mtlcap"
    simulated = os.environ.get("MTLCAP_SIMMETAL")
    if simulated and sys.platform != "darwin":
        os.environ["LD_PRELOAD"] = ":".join(filter(None, [simulated, os.environ.get("LD_PRELOAD")]))
    sys.stdout.flush()
    os.execv(path, ["mtlcap", *arguments])


def main() -> None:
    """Runs the command line in ``sys.argv``."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--dylib-path"]:
        path = inject_library()
        if path is None:
            sys.exit("mtlcap: this build of the package has no library to inject")
        print(path)
    elif arguments[:1] == ["run"] and arguments[1:2] not in (["-h"], ["--help"]):
        try:
            options = Run(arguments[1:])
        except ForCommand:
            command(arguments)
        except UsageError as error:
            print(f"mtlcap: {error}\n{USAGE.rpartition('       python -m')[0]}", file=sys.stderr)
            sys.exit(2)
        run(options)
    else:
        if arguments[-1:] in ([], ["-h"], ["--help"]) and arguments[:-1] in ([], ["run"]):
            print(USAGE)
        command(arguments)


if __name__ == "__main__":
    main()
