"""Runs `mtlcap run` on a terminal of its own, as a shell with job control would:
terminal.py MTLCAP PROGRAM"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

MTLCAP, PROGRAM = sys.argv[1:]
LIMIT = 30


def start(*arguments):
    """As a shell: a job in a process group of its own, which has the terminal. Returns the shell's
    process and the terminal's other end. The shell says what becomes of its job."""
    shell, terminal = pty.fork()
    if shell != 0:
        return shell, terminal
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpgrp())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execv(MTLCAP, [MTLCAP, "run", "--", PROGRAM, *arguments])
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.tcsetpgrp(0, os.getpgrp())
            print("job stopped", flush=True)
            sys.stdin.readline()
            os.tcsetpgrp(0, job)
            os.kill(-job, signal.SIGCONT)
        else:
            print("job ended:", os.waitstatus_to_exitcode(status), flush=True)
            os._exit(0)


def children(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        return [int(child) for child in file.read().split()]


class Terminal:
    def __init__(self, *arguments):
        self.shell, self.end = start(*arguments)
        self.text = ""

    def expect(self, word):
        """Reads on to `word`, and returns what came before it."""
        deadline = time.monotonic() + LIMIT
        while word not in self.text:
            ready, _, _ = select.select([self.end], [], [], deadline - time.monotonic())
            if not ready:
                raise TimeoutError(f"{word!r} does not come; there is {self.text!r}")
            try:
                self.text += os.read(self.end, 4096).decode()
            except OSError as error:
                raise EOFError(f"{word!r} does not come; there is {self.text!r}") from error
        before, _, self.text = self.text.partition(word)
        return before.split()

    def type(self, text):
        os.write(self.end, text.encode())

    def finish(self):
        os.waitpid(self.shell, 0)
        os.close(self.end)


terminal = Terminal("signals")
terminal.expect("ready")
terminal.type("\x03")
terminal.expect("INT")
time.sleep(0.3)  # a second one would come now
terminal.type("\x1c")
print("between Ctrl-C and Ctrl-\\:", [word for word in terminal.expect("QUIT") if word == "INT"])
fcntl.ioctl(terminal.end, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 44, 0, 0))
terminal.expect("WINCH")
time.sleep(0.3)
terminal.type("\x03")
print("between a new size and Ctrl-C:",
      [word for word in terminal.expect("INT") if word == "WINCH"])
for _ in range(2):
    terminal.type("\x1a")
    terminal.expect("job stopped")
    terminal.type("\n")
    terminal.expect("CONT")
    time.sleep(0.2)  # a second one would come now
    terminal.type("\x03")
    print("between fg and Ctrl-C:", [word for word in terminal.expect("INT") if word == "CONT"])
print("stopped and continued twice")

# Held by somebody, who lets it go on: the shell is not told. If it is typed, it is.
job = children(terminal.shell)[0]
program = children(job)[-1]  # a sanitizer has children of its own
os.kill(program, signal.SIGSTOP)
time.sleep(0.3)  # mtlcap would have stopped by now
os.kill(program, signal.SIGCONT)
print("held:", "job stopped" in " ".join(terminal.expect("CONT")))
os.kill(program, signal.SIGSTOP)
time.sleep(0.3)
terminal.type("\x1a")
terminal.expect("job stopped")
terminal.type("\n")
terminal.expect("CONT")
print("held, and stopped by Ctrl-Z")
os.kill(job, signal.SIGTERM)
terminal.expect("TERM")
terminal.expect("job ended: 9")
print("job ended")
terminal.finish()

# One that does not handle it ends by it, and so does mtlcap.
terminal = Terminal("sleep", "30")
time.sleep(0.5)
terminal.type("\x03")
terminal.expect("job ended: -2")
print("ended by Ctrl-C")
terminal.finish()
# The leader of a session has no shell that would continue it.
leader, end = pty.fork()
if leader == 0:
    os.execv(MTLCAP, [MTLCAP, "run", "--", PROGRAM, "stop"])
time.sleep(0.5)
os.kill(children(leader)[-1], signal.SIGCONT)
print("leader:", os.waitstatus_to_exitcode(os.waitpid(leader, 0)[1]))
os.close(end)
# ThreadSanitizer has files of its own there.
print("left:", [name for name in os.listdir(os.environ["TMPDIR"]) if not name.startswith("tsan.")])
