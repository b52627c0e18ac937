"""Milliseconds from starting a program on a terminal of its own to the texts that end its frames, a line each.

Arguments: columns, rows, the texts with `|` between, then the program and its arguments. After the last text the
program is left by `q`. Fails when it ends, or a minute goes by, before that is seen.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

columns, rows, texts, *command = sys.argv[1:]
awaited = texts.split("|")
started = time.monotonic()
program, terminal = pty.fork()
if program == 0:
    size = struct.pack("HHHH", int(rows), int(columns), 0, 0)
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execvp(command[0], command)
output, taken = b"", []
while True:
    if not select.select([terminal], [], [], 60)[0]:
        sys.exit("Nothing was written for a minute: " + output.decode(errors="replace"))
    try:
        output += os.read(terminal, 65536)
    except OSError:
        # Linux says so when the other end is closed.
        break
    while len(taken) < len(awaited) and awaited[len(taken)].encode() in output:
        taken.append((time.monotonic() - started) * 1000)
        if len(taken) == len(awaited):
            os.write(terminal, b"q")
os.waitpid(program, 0)
if len(taken) < len(awaited):
    sys.exit("It ended before: " + output.decode(errors="replace"))
print(*taken, sep="\n")
