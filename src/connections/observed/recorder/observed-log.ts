import { sessionPage } from '../../../entries/log.ts'
import {
  createMemoryLog,
  type Entry,
  type EventLog,
  WorkspaceError,
} from '../../../entries/index.ts'

/** A session of a log: the first entries of its origin, where it is a fork, and its own. */
interface HeldSession {
  readonly own: readonly [Entry, ...Entry[]]
  readonly fork: Fork | null
}

interface Fork {
  readonly origin: string
  /** The number of entries that it has of its origin. */
  readonly after: number
}

/**
 * A log in memory of observed sessions, which is only read. It returns the entries that it was given: as text, those of a
 * transcript would take its memory once more, and be read again by each reader.
 */
export interface ObservedLog extends EventLog {
  /**
   * Adds a session.
   *
   * @param fork the session with whose first entries it begins. Both share them, also when there are a thousand forks
   */
  add(session: string, own: HeldSession['own'], fork?: Fork): void
}

/** @param definitions those of a log that it takes the place of */
export function createObservedLog(
  { definitions }: Pick<EventLog, 'definitions'> = createMemoryLog(),
): ObservedLog {
  const sessions = new Map<string, HeldSession>()
  const openedAt = ({ fork, own: [first] }: HeldSession): number => {
    const origin = fork && sessions.get(fork.origin)
    return origin ? openedAt(origin) : first.at
  }
  const read: EventLog['read'] = async (session, from = 0, last = Infinity) => {
    const { fork, own } = sessions.get(session) ?? { fork: null, own: [] }
    const after = fork?.after ?? 0
    const shown = own.slice(Math.max(0, from - after), Math.max(0, last - after + 1))
    if (fork === null || from >= after) return shown
    return [...(await read(fork.origin, from, Math.min(last, after - 1))), ...shown]
  }
  return {
    add(session, own, fork) {
      sessions.set(session, { own, fork: fork ?? null })
    },
    read,
    async list(page) {
      const all = [...sessions].map(([session, held]) => {
        const { fork, own } = held
        const version = (fork?.after ?? 0) + own.length
        const times = { openedAt: openedAt(held), changedAt: own.at(-1)?.at ?? 0 }
        return { session, version, ...times, ...(fork && { forkedFrom: fork.origin }) }
      })
      return sessionPage(all, page)
    },
    append: refuseChange,
    delete: refuseChange,
    prune: refuseChange,
    definitions,
  }
}

async function refuseChange(): Promise<never> {
  throw new WorkspaceError('LOG_WRITE_FAILED', 'A session of another agent cannot be changed.', {
    facts: { reason: 'readOnly' },
    hint: 'Open it with `readOnly`.',
  })
}
