"""Run a program on a pseudo-terminal, as a job of a small shell, and tell what became of it.

Reads one JSON object: command, columns, rows, environment, cwd, steps. A step waits for text
("wait"), types ("type"), signals ("signal"), waits until the job is stopped ("stopped"), goes on
with it ("continue"), closes the window ("close"), or keeps what was written when nothing more comes
for so many milliseconds ("keep"). Writes one JSON object: the settings of the terminal before, while
stopped and after, the exit status, everything written, and what was kept.
"""

import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import sys
import termios


def settings(terminal):
    return subprocess.run(
        ["stty", "-a"], stdin=terminal, capture_output=True, text=True
    ).stdout


def shell(terminal, orders, events, request):
    """The leader of the session: one job, in the foreground, with a shell's job control."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpid())
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        for stream in (0, 1, 2):
            os.dup2(terminal, stream)
        os.chdir(request["cwd"])
        os.execvpe(request["command"][0], request["command"], request["environment"])
    tell = lambda **event: os.write(events, (json.dumps(event) + "\n").encode())
    tell(job=job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.tcsetpgrp(terminal, os.getpgrp())
            tell(stopped=settings(terminal))
            os.read(orders, 1)
            os.tcsetpgrp(terminal, job)
            os.killpg(job, signal.SIGCONT)
            continue
        if os.WIFSIGNALED(status):
            tell(ended="signal", by=signal.Signals(os.WTERMSIG(status)).name)
        else:
            tell(ended="exit", by=os.WEXITSTATUS(status))
        os._exit(0)


def main():
    request = json.load(sys.stdin)
    master, terminal = os.openpty()
    size = struct.pack("HHHH", request["rows"], request["columns"], 0, 0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    before = settings(terminal)
    events, events_in = os.pipe()
    orders, orders_in = os.pipe()
    leader = os.fork()
    if leader == 0:
        # Without its own copy of this end, the shell would keep the window open.
        os.close(master)
        shell(terminal, orders, events_in, request)
    output, told, seen, job = b"", b"", 0, 0
    stopped, kept, ended = [], [], None
    steps = list(request["steps"])
    while ended is None:
        while steps and job:
            step, value = next(iter(steps[0].items()))
            if step == "wait":
                found = output.find(value.encode(), seen)
                if found < 0:
                    break
                seen = found + len(value.encode())
            elif step == "type":
                os.write(master, value.encode())
            elif step == "signal":
                os.kill(job, getattr(signal, value))
            elif step == "stopped":
                if len(stopped) < value:
                    break
            elif step == "keep":
                if select.select([master], [], [], value / 1000)[0]:
                    break
                kept.append(output.decode(errors="replace"))
            elif step == "continue":
                os.write(orders_in, b"c")
            elif step == "close":
                os.close(terminal)
                os.close(master)
                master = terminal = -1
            steps.pop(0)
        sources = [source for source in (master, events) if source >= 0]
        readable, _, _ = select.select(sources, [], [], request["seconds"])
        if not readable:
            break
        if master in readable:
            output += os.read(master, 65536)
        if events in readable:
            told += os.read(events, 65536)
            *lines, told = told.split(b"\n")
            for event in map(json.loads, lines):
                job = event.get("job", job)
                if "stopped" in event:
                    stopped.append(event["stopped"])
                if "ended" in event:
                    ended = event
    if ended is None and job:
        os.killpg(job, signal.SIGKILL)
    while master >= 0 and select.select([master], [], [], 0)[0]:
        output += os.read(master, 65536)
    result = {
        "before": before,
        "stopped": stopped,
        "after": settings(terminal) if terminal >= 0 else None,
        "ended": ended,
        "left": steps,
        "output": output.decode(errors="replace"),
        "kept": kept,
    }
    json.dump(result, sys.stdout)


main()
