import { setImmediate } from 'node:timers/promises'
import type { Entry, Verdict, WorkspaceReader, WorkspaceState } from '../../../entries/index.ts'
import type { NameHistory } from '../../../entries/plan.ts'
import type { ReadObserved } from '../../report/facts/observed-names.ts'
import type { ObservedAnswer } from '../../report/facts/verdict-report.ts'
import { historyReport } from '../../report/facts/history-report.ts'
import { reportLines } from '../../report/writers/print-report.ts'

/** Returns the function that reads outcomes in a session of another agent, from its entries. */
export type ObserveNames = (entries: readonly Entry[]) => Promise<ReadObserved>

/** The requests that showed a tool or a skill, and its outcome. */
export interface NamedHistory {
  readonly lines: readonly string[]
  /** Its outcome in a session of another agent; null in other sessions. */
  readonly observed: ObservedAnswer | null
}

/** The history of the tool or skill that is described, read when it is first drawn. */
export interface ShownHistory {
  /** Returns it up to the moment shown; that of a moment before while it is read, and nothing at first. */
  about(kind: Verdict['kind'], name: string): NamedHistory
  /** Returns a promise of what was read last; null before anything is. */
  reading(): Promise<void> | null
}

/** The history that was read last. */
interface LastRead {
  readonly session: WorkspaceReader
  readonly state: WorkspaceState
  readonly kind: Verdict['kind']
  readonly name: string
  readonly about: NamedHistory
}

const NOTHING: NamedHistory = { lines: [], observed: null }

/**
 * Creates the history of one name at a time.
 *
 * @param wake requests a frame, when it is there
 */
export function createShownHistory(
  reader: () => WorkspaceReader,
  { entries, observe }: { entries(): readonly Entry[]; readonly observe: ObserveNames | undefined },
  wake: () => void,
): ShownHistory {
  let last: LastRead | null = null
  let reading: Promise<void> | null = null
  let outcomes: { readonly state: WorkspaceState; readonly read: ReadObserved } | null = null
  const outcome = async ({ session, state, kind, name }: LastRead, history: NameHistory) => {
    if (state.opening?.observed === undefined || observe === undefined) return null
    const verdict = kind === 'skill' ? session.explainSkill(name) : session.explain(name)
    // The folders of the agent are listed once for a moment.
    if (outcomes?.state !== state)
      outcomes = { state, read: await observe(entries().slice(0, state.seq + 1)) }
    return outcomes.read(verdict, history)
  }
  const read = async (begun: LastRead) => {
    // The frame is drawn first. Nothing is read of a name that is passed by.
    await setImmediate()
    if (last !== begun) return
    const { session, name } = begun
    // The rest of the description is true without it, and a log that fails is reported where entries are read.
    const history = await session.history(name).catch(() => null)
    const observed = history && (await outcome(begun, history).catch(() => null))
    if (last !== begun || history === null) return
    const lines = reportLines(historyReport(name, history, session.catalog))
    last = { ...begun, about: { lines, observed } }
    wake()
  }
  return {
    about(kind, name) {
      const session = reader()
      const { state } = session
      const before = last?.kind === kind && last.name === name ? last : null
      if (before?.session === session && before.state === state) return before.about
      const begun = { session, state, kind, name, about: before?.about ?? NOTHING }
      last = begun
      reading = read(begun)
      return begun.about
    },
    reading: () => reading,
  }
}
