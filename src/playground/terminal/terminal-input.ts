import { Readable } from 'node:stream'
import type { MouseEvent } from './mouse-event.ts'
import { createMouseFilter } from './mouse-filter.ts'

/** What of a terminal's input stream is used: `process.stdin`, or a stand-in. */
export interface TtyInput {
  setEncoding(encoding: 'utf8'): unknown
  setRawMode(isRaw: boolean): unknown
  on(event: 'data', listener: (chunk: string) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'data', listener: (chunk: string) => void): unknown
  off(event: 'end', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  ref(): unknown
  unref(): unknown
}

interface TerminalInputOptions {
  onMouse(event: MouseEvent): void
  /** The other end of the terminal is gone. */
  onGone(): void
}

/**
 * The keys of a terminal, without its mouse.
 *
 * Reads the terminal only in raw mode: while another program has it, such as an editor, not one
 * key is taken from under that program.
 */
export class TerminalInput extends Readable {
  readonly isTTY = true
  readonly #terminal: TtyInput
  readonly #feed: (chunk: string) => void
  readonly #gone: () => void
  #isReading = false

  constructor(terminal: TtyInput, { onMouse, onGone }: TerminalInputOptions) {
    super()
    this.#terminal = terminal
    const filter = createMouseFilter()
    this.#feed = (chunk) => {
      const { text, events } = filter(chunk)
      if (text !== '') this.push(text)
      for (const event of events) onMouse(event)
    }
    this.#gone = onGone
    // For good: leaving raw mode is an error, too, when the terminal is gone.
    terminal.on('error', () => {
      if (this.#isReading) onGone()
    })
  }

  override _read(): void {}

  setRawMode(isRaw: boolean): this {
    const terminal = this.#terminal
    if (isRaw !== this.#isReading) {
      this.#isReading = isRaw
      if (isRaw) {
        terminal.setEncoding('utf8')
        terminal.on('data', this.#feed)
        terminal.on('end', this.#gone)
        terminal.resume()
      } else {
        terminal.off('data', this.#feed)
        terminal.off('end', this.#gone)
        terminal.pause()
      }
    }
    terminal.setRawMode(isRaw)
    return this
  }

  ref(): this {
    this.#terminal.ref()
    return this
  }

  unref(): this {
    this.#terminal.unref()
    return this
  }
}
