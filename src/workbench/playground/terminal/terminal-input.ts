import { Readable } from 'node:stream'

/** A mouse event; columns and rows count from 0 at the upper left. */
export interface MouseEvent {
  readonly type: 'click' | 'wheel-up' | 'wheel-down'
  readonly column: number
  readonly row: number
}

/** The part of a terminal's input stream that is used: `process.stdin`, or a stand-in. */
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
  /** Called when the other end of the terminal was closed. */
  onGone(): void
}

/**
 * The keys of a terminal, without its mouse events.
 *
 * Reads the terminal only in raw mode, so that it takes no keys from another program, such as an
 * editor, that has the terminal.
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
    // Never removed: leaving raw mode is also an error after the terminal was closed.
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

/** A report in SGR form (`ESC [ < button ; column ; row M`), or the marks around a paste. */
const REPORT = /\p{Cc}\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])|\p{Cc}\[20([01])~/gv

/** A report cut off by the end of a chunk; no key starts like this. */
const CUT = /\p{Cc}\[<[\d;]{0,17}$/v

/**
 * Creates a filter that removes mouse reports from input before they can be read as keys.
 *
 * Chunks may end anywhere, so the start of a report is kept until the rest arrives. Everything inside
 * a paste is text.
 */
export function createMouseFilter(): (chunk: string) => {
  readonly text: string
  readonly events: readonly MouseEvent[]
} {
  let unfinished = ''
  let isPasting = false
  return (chunk) => {
    const input = unfinished + chunk
    const cut = isPasting ? -1 : input.search(CUT)
    const complete = cut < 0 ? input : input.slice(0, cut)
    unfinished = cut < 0 ? '' : input.slice(cut)
    const events: MouseEvent[] = []
    const text = complete.replace(
      REPORT,
      (match, button?: string, column?: string, row?: string, ending?: string, paste?: string) => {
        if (paste !== undefined) isPasting = paste === '0'
        if (paste !== undefined || isPasting) return match
        const type = ending === 'M' ? mouseType(Number(button)) : null
        if (type !== null) events.push({ type, column: Number(column) - 1, row: Number(row) - 1 })
        return ''
      },
    )
    return { text, events }
  }
}

/** Ignores modifier keys (4, 8, 16); other buttons, drags and releases are null. */
function mouseType(button: number): MouseEvent['type'] | null {
  const plain = button & ~28
  if (plain === 0) return 'click'
  if (plain === 64) return 'wheel-up'
  return plain === 65 ? 'wheel-down' : null
}
