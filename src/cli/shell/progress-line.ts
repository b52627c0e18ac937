import type { CliContext } from './cli-context.ts'
import { displayWidth, truncateToWidth } from '../../kernel/display-width.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { LoadOptions } from '../../project/walk/load-options.ts'

/** Milliseconds that work of a command may take before it is told of. */
export const PATIENCE_MS = 150

/** Milliseconds between two writes of one stage. */
const EVERY_MS = 80

/** Columns of a line that no terminal of any use would wrap. */
const COLUMNS = 72

/** One line on stderr that says what is being done. */
interface ProgressLine {
  /** Say what is being done, and how much of it is done where that is known. */
  show(what: string, done?: number, of?: number): void
  /** Take the line away, whatever is written next. */
  end(): void
}

/**
 * Progress in one line of a terminal, written over as work goes on and gone at its end. Where
 * stderr is no terminal nothing is written at all. With `after` (milliseconds) work that is done by
 * then is not told of, so that a quick answer does not flicker.
 */
export function progressLine(
  { stderr }: Pick<CliContext, 'stderr'>,
  { after = 0 }: { readonly after?: number } = {},
): ProgressLine {
  const isTerminal = stderr.isTTY === true
  const start = performance.now()
  let last = -Infinity
  let shown: string | null = null
  return {
    show(what, done, of) {
      const now = performance.now()
      if (!isTerminal || now - start < after) return
      if (what === shown && now - last < EVERY_MS) return
      last = now
      shown = what
      const part = done === undefined || of === undefined ? '' : ` ${done} of ${of}`
      const room = COLUMNS - displayWidth(part)
      stderr.write(`\r\u001b[2K${truncateToWidth(`${sanitiseLine(what)}…`, room)}${part}`)
    },
    end() {
      if (shown !== null) stderr.write('\r\u001b[2K')
      shown = null
    },
  }
}

/**
 * Read definitions, with progress on a terminal when it takes long; gone once they are read. What is
 * done with them meanwhile can say so on the same line.
 */
export async function whileReading<T>(
  context: Pick<CliContext, 'stderr'>,
  read: (onFolder: NonNullable<LoadOptions['onFolder']>, line: ProgressLine) => Promise<T>,
): Promise<T> {
  const line = progressLine(context, { after: PATIENCE_MS })
  try {
    return await read((done, of) => line.show('Reading definitions', done, of), line)
  } finally {
    line.end()
  }
}
