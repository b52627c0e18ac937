import { displayWidth, sanitiseLine, truncateToWidth } from '../../../entries/kit.ts'
import type { CliContext } from './cli-context.ts'
import type { FolderProgress } from '../../project/walk/load-options.ts'

/** Milliseconds before progress is shown, so that quick work does not flicker. */
export const PATIENCE_MS = 150

/** Milliseconds between two writes of one stage. */
const EVERY_MS = 80

/** Columns of a line that fits every usual terminal. */
const COLUMNS = 72

/** A progress line on the terminal. */
interface ProgressLine {
  /** Shows the current stage, with its count when that is known. */
  show(what: string, done?: number, of?: number): void
  /** Clears the line. */
  end(): void
}

/**
 * Shows progress in one terminal line that is overwritten and finally cleared: of the screen that is open, else on
 * stderr. Nothing is written when that is not a terminal.
 *
 * @param after milliseconds to wait before anything is shown
 */
export function progressLine(
  { stderr, onProgress }: Pick<CliContext, 'stderr' | 'onProgress'>,
  { after = 0 }: { readonly after?: number } = {},
): ProgressLine {
  const onStderr = (text: string) => stderr.write(`\r\u001b[2K${text}`)
  const write = onProgress ?? (stderr.isTTY === true ? onStderr : null)
  const start = performance.now()
  let last = -Infinity
  let shown: string | null = null
  return {
    show(what, done, of) {
      const now = performance.now()
      if (write === null || now - start < after) return
      if (what === shown && now - last < EVERY_MS) return
      last = now
      shown = what
      const part = done === undefined || of === undefined ? '' : ` ${done} of ${of}`
      const room = COLUMNS - displayWidth(part)
      write(`${truncateToWidth(`${sanitiseLine(what)}…`, room)}${part}`)
    },
    end() {
      if (shown !== null) write?.('')
      shown = null
    },
  }
}

/**
 * Reads definitions and shows progress on a terminal when it takes long. `read` may show further
 * stages on the same line.
 */
export async function whileReading<T>(
  context: Pick<CliContext, 'stderr' | 'onProgress'>,
  read: (onFolder: FolderProgress, line: ProgressLine) => Promise<T>,
): Promise<T> {
  const line = progressLine(context, { after: PATIENCE_MS })
  try {
    return await read((done, of) => line.show('Reading definitions', done, of), line)
  } finally {
    line.end()
  }
}
