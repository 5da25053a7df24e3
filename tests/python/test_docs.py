"""What the documentation says runs: the docstrings' examples, and every snippet of the README."""

import doctest
import importlib
import pkgutil
import re

import pytest

import mtlcap
from conftest import environment, run

MODULES = [module.name for module in pkgutil.iter_modules(mtlcap.__path__)
           if module.name not in ("auto", "__main__")]
SNIPPET = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets(source, language):
    text = "".join((source / name).read_text()
                   for name in ("bindings/python/README.md", "README.md"))
    return [code for name, code in SNIPPET.findall(text) if name == language]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(f"mtlcap.{name}")
    names = {public: getattr(mtlcap, public) for public in mtlcap.__all__}
    assert doctest.testmod(module, extraglobs=names).failed == 0


def test_docstrings_have_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = sum(bool(test.examples) for name in MODULES
                for test in finder.find(importlib.import_module(f"mtlcap.{name}")))
    assert found >= 10


def test_readme_python(source):
    codes = snippets(source, "python")
    assert len(codes) >= 5
    for code in codes:
        result = run("-c", code)
        assert result.returncode == 0, f"{code}\n{result.stderr}"
        said = re.findall(r"print\(.*\) +# (.*)$", code, re.MULTILINE)
        assert result.stdout.splitlines() == said, code


def test_readme_shell(source, work):
    """Those that need nothing but the package."""
    import subprocess
    import sys
    from pathlib import Path

    (work / "script.py").write_text("import mtlcap\nassert mtlcap.devices() and mtlcap.is_active()\n")
    env = environment()
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    ran = 0
    for code in snippets(source, "sh"):
        for line in code.splitlines():
            if line.startswith(("python -m mtlcap run", "python -m mtlcap probe")):
                result = subprocess.run(line, shell=True, cwd=work, env=env, capture_output=True,
                                        text=True)
                assert result.returncode == 0, f"{line}\n{result.stderr}"
                ran += 1
    assert ran >= 2
