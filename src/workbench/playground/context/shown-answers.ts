import { setImmediate } from 'node:timers/promises'
import type { Entry, WorkspaceReader, WorkspaceState } from '../../../entries/index.ts'
import { thrownMessage } from '../../../entries/kit.ts'
import { answerWhy, type WhyAnswer } from '../../report/answers/answer-why.ts'
import type { ProjectFolders } from '../../report/answers/explain-name.ts'
import type { ObserveNames } from './shown-history.ts'

/** The answer to what is typed after "Why". */
export interface ShownAnswers {
  /** Returns it at the moment shown; the one before while it is computed, and null at first. */
  about(asked: string): WhyAnswer | null
  /** Resolves when the last answer that was asked for is there; null when it is. */
  reading(): Promise<void> | null
}

/** The question that was asked last, and its answer; that of the one before while it is computed. */
interface LastAsked {
  readonly session: WorkspaceReader
  readonly state: WorkspaceState
  readonly asked: string
  readonly answer: WhyAnswer | null
  readonly isAnswered: boolean
}

/** Says why there is no answer, such as a log that cannot be read. */
function failed(error: unknown): WhyAnswer {
  const text = thrownMessage(error)
  return { report: [{ kind: 'text', text }], entry: null, named: null, found: [] }
}

/**
 * Creates the answers of a screen. The last one is kept, and computed again when the session, its state or its definitions
 * change.
 *
 * @param wake requests a frame, when it is there
 */
export function createShownAnswers(
  reader: () => WorkspaceReader,
  {
    entries,
    observe,
    folders,
  }: {
    entries(): readonly Entry[]
    readonly observe: ObserveNames | undefined
    readonly folders: ProjectFolders | undefined
  },
  wake: () => void,
): ShownAnswers {
  let last: LastAsked | null = null
  let reading: Promise<void> | null = null
  /** Answers the last question, one at a time: nothing is computed for a text that was typed on. */
  const read = async () => {
    for (let begun = last; begun !== null && !begun.isAnswered; begun = last) {
      // The frame is drawn first.
      await setImmediate()
      if (last !== begun) continue
      const { session, state, asked } = begun
      const upTo = () => entries().slice(0, state.seq + 1)
      const source = { workspace: session, entries: upTo, observe, disk: folders ?? null }
      const answer = await answerWhy(asked, source).catch(failed)
      if (last !== begun) continue
      last = { ...begun, answer, isAnswered: true }
      wake()
    }
    reading = null
  }
  return {
    about(asked) {
      const session = reader()
      const { state } = session
      if (last?.session === session && last.state === state && last.asked === asked)
        return last.answer
      last = { session, state, asked, answer: last?.answer ?? null, isAnswered: false }
      reading ??= read()
      return last.answer
    },
    reading: () => reading,
  }
}
