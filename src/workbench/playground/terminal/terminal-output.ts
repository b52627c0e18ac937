import { Console } from 'node:console'
import { Writable } from 'node:stream'

/** The part of a terminal's output stream that is used: `process.stdout`, or a stand-in. */
interface TtyOutput {
  readonly columns: number
  readonly rows: number
  write(text: string): unknown
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** Milliseconds without another size until a new size is drawn. */
const QUIET_MS = 50

/**
 * The stream through which only the screen writes to the terminal. Output of other code is captured
 * meanwhile (`captureOutput`). While a window is dragged to another size, `resize` is emitted once it is
 * quiet: until then the terminal may already have a later size, which breaks the lines of a frame.
 */
export class TerminalOutput extends Writable {
  readonly isTTY = true
  readonly #terminal: TtyOutput
  readonly #write: (text: string) => unknown
  readonly #resized = () => {
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => this.emit('resize'), QUIET_MS)
  }
  #quiet: NodeJS.Timeout | undefined

  /** Binds the current `write` of the terminal, so that a later capture does not affect it. */
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
    // Immediately, so that nothing is buffered here when the process ends.
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#quiet)
    this.#terminal.off('resize', this.#resized)
    done(error)
  }
}

/** The most captured lines that are kept; the oldest are dropped. */
const MOST_LINES = 200

interface WritableLike {
  write: Writable['write']
}

/** The outputs of the process that are captured. */
interface Outputs {
  readonly stdout: WritableLike
  readonly stderr: WritableLike
}

/**
 * Captures output of handlers and of Node, which would damage the screen: the console, both outputs
 * and warnings. Passes each line to `onLine`. The returned function restores everything and returns
 * the last lines, to be printed then.
 */
export function captureOutput(
  { stdout, stderr }: Outputs,
  onLine: (line: string) => void,
): () => readonly string[] {
  const lines: string[] = []
  const take = (text: string) => {
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue
      lines.push(line)
      if (lines.length > MOST_LINES) lines.shift()
      onLine(line)
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
