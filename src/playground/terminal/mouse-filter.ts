import type { MouseEvent } from './mouse-event.ts'

/** What was typed, with what the mouse did taken out. */
export interface FilteredInput {
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
