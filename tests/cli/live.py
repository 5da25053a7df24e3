"""Runs `mtlcap trace` on a terminal of its own, and looks at what is drawn there:
live.py MTLCAP PROGRAM"""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

MTLCAP, PROGRAM = sys.argv[1:]
COLUMNS = 60


def run(*options, redirected, seconds="1", columns=COLUMNS):
    """What reaches the terminal. The program's outputs lead there, or to files."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        if redirected:
            for descriptor in (1, 2):
                os.dup2(os.open(f"out{descriptor}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
                        descriptor)
        os.execv(MTLCAP, [MTLCAP, "trace", *options, "--", PROGRAM, "long", seconds])
    text = b""
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:  # the last one has closed it
            break
        if not more:
            break
        text += more
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code != 0:
        print("exit code", code)
    return text.decode()


def screen(text):
    """The lines that stand there in the end."""
    lines = [[]]
    column = 0
    for character in text:
        if character == "\r":
            column = 0
        elif character == "\n":
            lines.append([])
            column = 0
        else:
            line = lines[-1]
            line.extend(" " * (column + 1 - len(line)))
            line[column] = character
            column += 1
    return ["".join(line).rstrip() for line in lines]


DRAWN = re.compile(r"mtlcap: asked (\d+) times, (\d+) questions, (\d+) not answered as stock")

text = run(redirected=True, columns=100, seconds="2")
counts = [tuple(map(int, match)) for match in DRAWN.findall(text)]
print("drawn:", len(counts) >= 3, "growing:", counts == sorted(counts) and counts[0] < counts[-1],
      "questions:", counts[-1][1] > 4, "stock:", counts[-1][2])
print("taken away:", screen(text) == [""], "no line ends:", "\n" not in text)
print("summary elsewhere:", "every answer is stock" in open("out2").read(), "program's output:",
      open("out1").read().split()[:2])
text = run("-p", "auto", redirected=True)
print("not wider than the terminal:", max(map(len, text.split("\r"))) == COLUMNS - 1)
print("under a profile:", run("-p", "auto", "--no-live", redirected=True) == "",
      DRAWN.findall(run("-p", "auto", redirected=True, columns=100))[-1][2] != "0")
text = run(redirected=False)
print("where the program writes:", DRAWN.search(text) is None, "slow" in text)
text = run("--live", redirected=False, columns=100)
print("... asked for:", DRAWN.search(text) is not None)
# Without a terminal.
sys.stdout.flush()
process = os.fork()
if process == 0:
    os.setsid()
    os.dup2(1, 2)
    os.execv(MTLCAP, [MTLCAP, "trace", "--live", "-o", "out", "--", PROGRAM])
os.waitpid(process, 0)
print("left:", [name for name in os.listdir(os.environ["TMPDIR"]) if not name.startswith("tsan.")])
