import { Console } from 'node:console'
import { Writable } from 'node:stream'

/** What of a terminal's output stream is used: `process.stdout`, or a stand-in. */
interface TtyOutput {
  readonly columns: number
  readonly rows: number
  write(text: string): unknown
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/**
 * The screen's own way to the terminal. While it is open, what others write to standard output
 * is kept back (`captureOutput`), and only frames go through here.
 */
export class TerminalOutput extends Writable {
  readonly isTTY = true
  readonly #terminal: TtyOutput
  readonly #write: (text: string) => unknown
  readonly #resized = () => this.emit('resize')

  /** Takes the `write` of now: a later capture of the terminal's own does not reach it. */
  constructor(terminal: TtyOutput) {
    super({ decodeStrings: false })
    this.#terminal = terminal
    this.#write = terminal.write.bind(terminal)
    terminal.on('resize', this.#resized)
  }

  get columns(): number {
    return this.#terminal.columns
  }

  get rows(): number {
    return this.#terminal.rows
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.#write(String(chunk))
    // At once, so that nothing waits in this stream when the process ends.
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#terminal.off('resize', this.#resized)
    done(error)
  }
}

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
