"""Milliseconds from starting a program on a terminal of its own to the text that ends its frame.

Arguments: columns, rows, the text, then the program and its arguments. The program is left by `q`.
Fails when the program ends, or a minute goes by, before the text is seen.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

columns, rows, text, *command = sys.argv[1:]
started = time.monotonic()
program, terminal = pty.fork()
if program == 0:
    size = struct.pack("HHHH", int(rows), int(columns), 0, 0)
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execvp(command[0], command)
output, taken = b"", None
while True:
    if not select.select([terminal], [], [], 60)[0]:
        sys.exit("Nothing was written for a minute: " + output.decode(errors="replace"))
    try:
        output += os.read(terminal, 65536)
    except OSError:
        # Linux says so when the other end is closed.
        break
    if taken is None and text.encode() in output:
        taken = (time.monotonic() - started) * 1000
        os.write(terminal, b"q")
os.waitpid(program, 0)
if taken is None:
    sys.exit("It ended before: " + output.decode(errors="replace"))
print(taken)
