"""Milliseconds of a program on a terminal of its own, a line each: from its start to the texts that end its frames, then
from each key to the last byte of the frame that it leads to.

Arguments: columns, rows, the texts with `|` between, the keys, each a character, then the program and its arguments. A
frame is over when nothing is written for 60 ms; a key that writes nothing within two seconds has no line. At last the
program is ended. Fails when it ends, or a minute goes by, before all texts are seen.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

columns, rows, texts, keys, *command = sys.argv[1:]
started = time.monotonic()
program, terminal = pty.fork()
if program == 0:
    size = struct.pack("HHHH", int(rows), int(columns), 0, 0)
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execvp(command[0], command)
output = b""


def read(seconds):
    """Reads what is written next. Returns False when nothing is for so long, and at the end."""
    global output
    if not select.select([terminal], [], [], seconds)[0]:
        return False
    try:
        output += os.read(terminal, 65536)
    except OSError:
        # Linux says so when the other end is closed.
        return False
    return True


for text in texts.split("|"):
    while text.encode() not in output:
        if not read(60):
            sys.exit("It ended, or wrote nothing for a minute: " + output.decode(errors="replace"))
    print((time.monotonic() - started) * 1000)
while keys and read(0.5):
    pass
for key in keys:
    sent, last = time.monotonic(), None
    os.write(terminal, key.encode())
    while read(2 if last is None else 0.06):
        last = time.monotonic()
    if last is not None:
        print((last - sent) * 1000)
os.kill(program, signal.SIGTERM)
while read(60):
    pass
os.waitpid(program, 0)
