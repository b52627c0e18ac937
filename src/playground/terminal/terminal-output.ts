import { Writable } from 'node:stream'

/** What of a terminal's output stream is used: `process.stdout`, or a stand-in. */
export interface TtyOutput {
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
