import { counted, formatCount } from '../../../entries/plan.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note } from '../context/ui-state.ts'

/** The most bytes that terminals put into their clipboard: 100,000 of OSC 52, in base64. */
export const MOST_COPIED = 74_994

/** Puts a text into the clipboard of the terminal by OSC 52, and says so. A long text is cut. */
export function copyText(
  { ui, copy }: Pick<PlaygroundContext, 'ui' | 'copy'>,
  text: string,
): void {
  const bytes = Buffer.from(text)
  const shown = bytes.length <= MOST_COPIED ? text : wholeLetters(bytes.subarray(0, MOST_COPIED))
  const lines = counted(shown.split('\n').length, 'line')
  const cut =
    shown === text
      ? ''
      : `, cut: the first ${formatCount(Buffer.byteLength(shown))} of ${formatCount(bytes.length)} bytes`
  const banner = copy(shown)
    ? note('done', `copied ${lines} to the clipboard of the terminal (OSC 52)${cut}`)
    : note('refused', 'There is no terminal whose clipboard could take it.')
  ui.setState({ banner })
}

/** Reads UTF-8 without a character that was cut at its end. */
function wholeLetters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true })
}
