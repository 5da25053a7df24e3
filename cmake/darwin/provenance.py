"""provenance.py SOURCE SDK ARCHIVE: prints, as JSON, what ARCHIVE was made of and with."""

import hashlib
import json
import pathlib
import subprocess
import sys

TOOLS = ["clang-19", "ld64.lld-19", "llvm-lipo-19", "llvm-ar-19", "cmake", "ninja", "tar", "gzip"]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_tree(folder):
    """Of a list of all files, as sha256sum prints it for names in the order of their bytes."""
    files = (path for path in folder.rglob("*") if path.is_file())
    lines = sorted((path.relative_to(folder).as_posix(), digest(path)) for path in files)
    return hashlib.sha256("".join(f"{sum}  {name}\n" for name, sum in lines).encode()).hexdigest()


def version(tool):
    output = subprocess.run([tool, "--version"], check=True, capture_output=True, text=True).stdout
    return next(line.strip() for line in output.splitlines() if any(map(str.isdigit, line)))


def git(source, *arguments):
    result = subprocess.run(["git", "-C", str(source), *arguments], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def main():
    source, sdk, archive = map(pathlib.Path, sys.argv[1:])
    requirement = (source / "cmake/darwin/requirements.txt").read_text().splitlines()[-1].split()
    changes = git(source, "status", "--porcelain", "--untracked-files=no")
    print(json.dumps({
        "archive": {"name": archive.name, "sha256": digest(archive)},
        "source": {
            "commit": git(source, "rev-parse", "HEAD"),  # null: not from a repository
            "changed": None if changes is None else changes != "",
        },
        "command": "sh scripts/macos.sh",
        "tools": {tool: version(tool) for tool in TOOLS},
        "inputs": {
            "package": requirement[0],
            "package_sha256": requirement[1].rpartition(":")[2],
            "headers_sha256": digest_tree(sdk / "usr" / "include"),
            "imports_sha256": {name.name: digest(name)
                               for name in sorted((source / "cmake/darwin").glob("*.tbd"))},
        },
    }, indent=2))


if __name__ == "__main__":
    main()
