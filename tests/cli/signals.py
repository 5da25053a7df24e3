"""Sends signals to `mtlcap run`, without a terminal: signals.py MTLCAP PROGRAM"""

import os
import signal
import subprocess
import sys
import time

MTLCAP, PROGRAM = sys.argv[1:]


def child_of(process):
    """The program, once it runs; a sanitizer has children of its own."""
    while True:
        with open(f"/proc/{process}/task/{process}/children") as file:
            for child in file.read().split():
                if os.path.realpath(f"/proc/{child}/exe") == os.path.realpath(PROGRAM):
                    return int(child)
        time.sleep(0.01)


class Run:
    """A program that says what reaches it."""

    def __init__(self, what="signals", library=(), stderr=subprocess.DEVNULL, **options):
        self.process = subprocess.Popen(
            [MTLCAP, "run", *library, "--", PROGRAM, what],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
            **options,
        )
        self.ignored = []
        while (line := self.line()) != "ready":
            self.ignored.append(line)

    def line(self):
        return self.process.stdout.readline().strip()

    def send(self, name, to=None):
        os.kill(to or self.process.pid, getattr(signal, "SIG" + name))

    def child(self):
        return child_of(self.process.pid)

    def end(self):
        """The exit code, and all that came and was not read."""
        self.send("TERM")
        rest = self.process.stdout.read().split()
        return self.process.wait(timeout=30), rest


def state(process):
    with open(f"/proc/{process}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]


def wait_for_state(process, wanted):
    deadline = time.monotonic() + 20
    while state(process) not in wanted:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{process} is {state(process)}, not one of {wanted}")
        time.sleep(0.01)


def fill(pipe):
    os.set_blocking(pipe, False)
    try:
        while True:
            os.write(pipe, bytes(4096))
    except BlockingIOError:
        os.set_blocking(pipe, True)


run = Run()
for name in ("HUP", "INT", "QUIT", "USR1", "USR2", "WINCH", "CONT", "ABRT", "ALRM", "XCPU", "VTALRM",
             "INT"):
    run.send(name)
    print(name, "->", run.line())
print("end:", *run.end())

# One that is ignored is ignored by the program too.
run = Run(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
run.send("HUP")
print("nohup:", run.ignored, *run.end())

# One that is blocked is the program's to open; this one opens all.
run = Run(preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]))
print("blocked:", *run.end())

# The clock of whoever became mtlcap goes on.
run = Run(preexec_fn=lambda: signal.setitimer(signal.ITIMER_REAL, 1))
print("alarm:", run.line())
print("end:", *run.end())

# What nobody handles ends the program, and mtlcap, which cleans up.
for number in (signal.SIGABRT, signal.SIGALRM, signal.SIGXCPU, signal.SIGPROF, signal.SIGIO,
               signal.SIGPWR, signal.SIGRTMIN, signal.SIGRTMAX):
    process = subprocess.Popen(
        [MTLCAP, "run", "--", PROGRAM, "sleep", "30"], stderr=subprocess.DEVNULL)
    child = child_of(process.pid)
    process.send_signal(number)
    code = process.wait(timeout=30)
    if code != -number or os.path.exists(f"/proc/{child}"):
        print(f"signal {number}: {code}; it has left the program, in state", state(child))

# Stopped by somebody: without a terminal mtlcap goes on waiting, and nothing hangs.
run = Run()
child = run.child()
run.send("STOP", child)
wait_for_state(child, "T")
time.sleep(0.2)  # mtlcap would have followed by now
print("stopped; mtlcap:", "stopped" if state(run.process.pid) == "T" else "waits")
run.send("CONT")
print("continued:", run.line())
print("end:", *run.end())

# The program's group is that of mtlcap; a signal to the group that the program sends is not doubled.
run = Run()
print("same group:", os.getpgid(run.child()) == os.getpgid(run.process.pid))
print("end:", *run.end())
run = Run("group")
print("from a program's child:", run.line())
time.sleep(0.2)  # a second one would come now
print("end:", *run.end())

# The line after five seconds does not keep signals back, if nobody reads it.
reading, writing = os.pipe()
fill(writing)
run = Run(stderr=writing, library=("--library", os.environ["FALSE_LIBRARY"]))
time.sleep(5.5)
run.send("INT")
print("while standard error is full:", run.line())
os.close(writing)
os.close(reading)
print("end:", *run.end())

# Killed at any moment, nothing is left behind: TERM while it starts.
for delay in range(0, 60, 4):
    process = subprocess.Popen(
        [MTLCAP, "run", "--", PROGRAM, "sleep", "30"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(delay / 1000)
    process.terminate()
    code = process.wait(timeout=30)
    if code != -signal.SIGTERM:
        print(f"after {delay} ms: {code}")
# ThreadSanitizer has files of its own there.
print("left:", [name for name in os.listdir(os.environ["TMPDIR"]) if not name.startswith("tsan.")])

# The program begins with the signals that mtlcap was given.
setup = subprocess.run(
    [MTLCAP, "run", "--", PROGRAM, "setup"], capture_output=True, text=True, restore_signals=True
)
print(setup.stdout.strip())
setup = subprocess.run(
    [MTLCAP, "run", "--", PROGRAM, "setup"],
    capture_output=True,
    text=True,
    restore_signals=False,
    preexec_fn=lambda: (
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]),
        signal.signal(signal.SIGCHLD, signal.SIG_IGN),
    ),
)
print(setup.stdout.strip())

# What is ignored reaches a program that does not ignore it.
run = Run("handles", preexec_fn=lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN))
run.send("USR1")
print("ignored, but not by the program:", run.line())
print("end:", *run.end())
