import { Readable } from 'node:stream'

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

/** What was typed, with what the mouse did taken out. */
interface FilteredInput {
  readonly text: string
  readonly events: readonly MouseEvent[]
}

/** A report in SGR form (`ESC [ < button ; column ; row M`), or the marks around a paste. */
const REPORT = /\p{Cc}\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])|\p{Cc}\[20([01])~/gv

/** A report cut off by the end of a chunk; no key begins like this. */
const CUT = /\p{Cc}\[<[\d;]{0,17}$/v

/**
 * Takes mouse reports out of input before anything can read them as keys.
 *
 * Chunks end anywhere, so the start of a report is kept until its rest comes. What stands inside
 * a paste is text, whatever it looks like.
 */
export function createMouseFilter(): (chunk: string) => FilteredInput {
  let held = ''
  let isPasting = false
  return (chunk) => {
    const input = held + chunk
    const cut = isPasting ? -1 : input.search(CUT)
    const whole = cut < 0 ? input : input.slice(0, cut)
    held = cut < 0 ? '' : input.slice(cut)
    const events: MouseEvent[] = []
    const text = whole.replace(
      REPORT,
      (match, button?: string, column?: string, row?: string, ending?: string, paste?: string) => {
        if (paste !== undefined) isPasting = paste === '0'
        if (paste !== undefined || isPasting) return match
        const type = ending === 'M' ? typeOf(Number(button)) : null
        if (type !== null) events.push({ type, column: Number(column) - 1, row: Number(row) - 1 })
        return ''
      },
    )
    return { text, events }
  }
}

/** Modifier keys (4, 8, 16) make no difference; other buttons, drags and releases mean nothing. */
function typeOf(button: number): MouseEvent['type'] | null {
  const plain = button & ~28
  if (plain === 0) return 'click'
  if (plain === 64) return 'wheel-up'
  return plain === 65 ? 'wheel-down' : null
}

/** What a mouse did; columns and rows count from 0 at the upper left. */
export interface MouseEvent {
  readonly type: 'click' | 'wheel-up' | 'wheel-down'
  readonly column: number
  readonly row: number
}
