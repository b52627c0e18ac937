import { setImmediate } from 'node:timers/promises'
import type { WorkspaceReader, WorkspaceState } from '../../../entries/index.ts'
import { historyReport } from '../../report/facts/history-report.ts'
import { reportLines } from '../../report/writers/print-report.ts'

/** The history of the tool or skill that is described, read when it is first drawn. */
export interface ShownHistory {
  /** Returns its lines up to the moment shown; those of a moment before while they are read, and none at first. */
  lines(name: string): readonly string[]
  /** Returns a promise of the lines that are being read; null when there are none. */
  reading(): Promise<void> | null
}

/** The history that was read last. */
interface LastRead {
  readonly session: WorkspaceReader
  readonly state: WorkspaceState
  readonly name: string
  readonly lines: readonly string[]
}

const NONE: readonly string[] = []

/**
 * Creates the history of one name at a time.
 *
 * @param wake requests a frame, when the lines are there
 */
export function createShownHistory(reader: () => WorkspaceReader, wake: () => void): ShownHistory {
  let last: LastRead | null = null
  let reading: Promise<void> | null = null
  const read = async (begun: LastRead) => {
    // The frame is drawn first. Nothing is read of a name that is passed by.
    await setImmediate()
    if (last !== begun) return
    const { session, name } = begun
    // The rest of the description is true without it, and a log that fails is reported where entries are read.
    const history = await session.history(name).catch(() => null)
    if (last !== begun) return
    reading = null
    if (history === null) return
    last = { ...begun, lines: reportLines(historyReport(name, history, session.catalog)) }
    wake()
  }
  return {
    lines(name) {
      const session = reader()
      const { state } = session
      if (last?.session === session && last.state === state && last.name === name) return last.lines
      const begun = { session, state, name, lines: last?.name === name ? last.lines : NONE }
      last = begun
      reading = read(begun)
      return begun.lines
    },
    reading: () => reading,
  }
}
