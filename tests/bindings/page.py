"""docs/bindings.md shows an example as it is in examples/, and the example prints what the page says.

Usage: page.py DOCUMENT EXAMPLE COMMAND...
"""

import re
import subprocess
import sys
from pathlib import Path


def main():
    document, example, *command = sys.argv[1:]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", Path(document).read_text(), re.MULTILINE | re.DOTALL)
    (expected,) = [text for language, text in blocks if language == "text"]
    if Path(example).read_text() not in [text for _, text in blocks]:
        sys.exit(f"{document} does not show {example} as it is")
    result = subprocess.run(command, capture_output=True, text=True)
    print(result.stdout, result.stderr)
    if result.returncode or result.stdout != expected:
        sys.exit(f"exit status {result.returncode}; expected:\n{expected}")


main()
