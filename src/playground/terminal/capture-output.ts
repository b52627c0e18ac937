import { Console } from 'node:console'
import { Writable } from 'node:stream'

/** Lines kept of what was written while the screen was open; older ones go. */
const MOST_LINES = 200

interface WritableLike {
  write: Writable['write']
}

/** What of the process is silenced. */
interface Outputs {
  readonly stdout: WritableLike
  readonly stderr: WritableLike
}

/**
 * Keep what handlers and Node itself write from tearing the screen: the console, both outputs
 * and warnings. Each line is told to `tell`; the returned function puts all back and gives the
 * last lines, to be printed where they would have stood.
 */
export function captureOutput(
  { stdout, stderr }: Outputs,
  tell: (line: string) => void,
): () => readonly string[] {
  const lines: string[] = []
  const take = (text: string) => {
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue
      lines.push(line)
      if (lines.length > MOST_LINES) lines.shift()
      tell(line)
    }
  }
  const sink = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      take(String(chunk))
      done()
    },
  })
  const before = {
    console: globalThis.console,
    stdout: stdout.write,
    stderr: stderr.write,
    warnings: process.listeners('warning'),
  }
  const warned = ({ name, message }: Error) => take(`${name}: ${message}`)
  const write = sink.write.bind(sink)
  globalThis.console = new Console(sink, sink)
  stdout.write = write
  stderr.write = write
  process.removeAllListeners('warning')
  process.on('warning', warned)
  return () => {
    globalThis.console = before.console
    stdout.write = before.stdout
    stderr.write = before.stderr
    process.off('warning', warned)
    for (const listener of before.warnings) process.on('warning', listener)
    return lines
  }
}
