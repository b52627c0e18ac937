"""Milliseconds to the first text of a program on a terminal of its own, then from each key to the last byte of its frame.

Arguments: columns, rows, the text, the keys with a space between, then the program and its arguments. A frame is over
when nothing is written for 60 ms. A key that writes nothing within two seconds has no line.
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

columns, rows, text, keys, *command = sys.argv[1:]
started = time.monotonic()
program, terminal = pty.fork()
if program == 0:
    size = struct.pack("HHHH", int(rows), int(columns), 0, 0)
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execvp(command[0], command)
output = b""


def read(seconds):
    global output
    if not select.select([terminal], [], [], seconds)[0]:
        return False
    try:
        output += os.read(terminal, 65536)
    except OSError:
        return False
    return True


while text.encode() not in output:
    if not read(60):
        sys.exit("It ended before: " + output.decode(errors="replace"))
print((time.monotonic() - started) * 1000)
while read(0.5):
    pass
for key in keys.split(" "):
    sent, last = time.monotonic(), None
    os.write(terminal, key.encode())
    while read(2 if last is None else 0.06):
        last = time.monotonic()
    if last is not None:
        print((last - sent) * 1000)
os.kill(program, signal.SIGTERM)
