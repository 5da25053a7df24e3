"""The command: ``python -m mtlcap``.

``run`` of a Python script happens in this very process; everything else is the mtlcap command that
the package carries.
"""

import os
import sys
import types
from pathlib import Path
from typing import NoReturn, Optional

USAGE = """\
usage: python -m mtlcap run [-p PROFILE] [--allow NAMES] SCRIPT [ARGUMENT...]
       python -m mtlcap run [-p PROFILE] [--allow NAMES] -m MODULE [ARGUMENT...]
           Applies a profile (default: that of MTLCAP_PROFILE, else auto), then runs a Python script
           or module in this interpreter. Its child processes are not affected.
       python -m mtlcap --dylib-path
           Prints the path of the library to be injected into other programs.
       python -m mtlcap COMMAND [ARGUMENT...]
           Everything else is the mtlcap command:
"""
CANNOT_APPLY = 78  # EX_CONFIG, as the injected library's under MTLCAP_STRICT=1


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
        self.module = False
        rest = list(arguments)
        while rest and rest[0].startswith("-"):
            option, _, value = rest.pop(0).partition("=")
            if option == "-m":
                self.module = True
                break
            if option not in ("-p", "--profile", "--allow"):
                if "--" in [option, *rest]:
                    raise ForCommand
                raise UsageError(f"run: unknown option '{option}'")
            if not value:
                if not rest:
                    raise UsageError(f"run: {option} needs a value")
                value = rest.pop(0)
            if option == "--allow":
                self.allow = value
            else:
                self.profile = value
        if not rest:
            raise UsageError(f"run: which {'module' if self.module else 'script'}?")
        self.target, self.arguments = rest[0], rest[1:]


def run(options: Run) -> None:
    """Applies a profile, and runs a script or a module as Python itself would."""
    import mtlcap

    try:
        mtlcap.apply(options.profile, allow=options.allow)
    except mtlcap.Error as error:
        print(f"mtlcap: {error}", file=sys.stderr)
        sys.exit(CANNOT_APPLY)
    sys.argv[:] = [options.target, *options.arguments]
    if options.module:
        import runpy

        sys.path[0] = os.getcwd()
        runpy.run_module(options.target, run_name="__main__", alter_sys=True)
    elif os.path.isdir(options.target) or options.target.endswith((".zip", ".pyz")):
        import runpy

        sys.path[0] = options.target
        runpy.run_path(options.target, run_name="__main__")
    else:
        _run_script(options.target)


def _run_script(path: str) -> None:
    """Runs a file as the program: its module stays in place until the process ends, and child
    processes of multiprocessing find it."""
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        print(f"mtlcap: can't open '{path}': {error.strerror}", file=sys.stderr)
        sys.exit(2)
    main_module = types.ModuleType("__main__")
    main_module.__file__ = os.path.abspath(path)
    main_module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main_module
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    exec(compile(source, path, "exec"), main_module.__dict__)


def command(arguments: list[str]) -> NoReturn:
    """Becomes the mtlcap command."""
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
