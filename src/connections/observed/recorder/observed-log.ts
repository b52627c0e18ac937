import {
  checkAppend,
  entryHash,
  readEntry,
  sessionPage,
  storedEntry,
} from '../../../entries/adapter.ts'
import { createMemoryLog, type Entry, type EventLog } from '../../../entries/index.ts'

/** A fork, as its own entries after the first ones of another session. */
interface StoredFork {
  readonly origin: string
  /** The number of entries that both have. */
  readonly after: number
  /** Its own entries, as JSON text. */
  readonly texts: string[]
  readonly openedAt: number
  readonly last: Entry
}

/** A log in memory of observed sessions. Commands only read it, so it cannot be followed. */
export interface ObservedLog extends EventLog {
  /** Adds a session that begins with the first entries of another one. Both share them, also when there are a thousand. */
  fork(
    session: string,
    origin: { readonly session: string; readonly after: number; readonly openedAt: number },
    own: readonly [Entry, ...Entry[]],
  ): void
}

export function createObservedLog(): ObservedLog {
  const { follow: _, immediate: _immediate, ...log } = createMemoryLog()
  const forks = new Map<string, StoredFork>()
  const append = ({ texts, ...fork }: StoredFork, entries: readonly Entry[]) => {
    for (const entry of entries) texts.push(JSON.stringify(storedEntry(entry)))
    return { ...fork, texts, last: entries.at(-1) ?? fork.last }
  }
  return {
    ...log,
    fork(session, { session: origin, after, openedAt }, [first, ...more]) {
      const fork = { origin, after, texts: [], openedAt, last: first }
      forks.set(session, append(fork, [first, ...more]))
    },
    async append(session, expected, entries, hash) {
      const fork = forks.get(session)
      if (fork === undefined) return log.append(session, expected, entries, hash)
      const found = fork.after + fork.texts.length
      const lastHash = () => entryHash(fork.last)
      checkAppend({ session, expected, found, entries, after: hash, lastHash })
      forks.set(session, append(fork, entries))
    },
    async read(session, from = 0, last = Infinity) {
      const own: Entry[][] = []
      let [name, end] = [session, last]
      for (let fork = forks.get(name); fork; fork = forks.get(name)) {
        const { origin, after, texts } = fork
        const first = Math.max(from, after)
        const shown = texts.slice(first - after, Math.max(0, end - after + 1))
        own.push(shown.flatMap((text, at) => readEntry(JSON.parse(text), first + at) ?? []))
        name = origin
        end = Math.min(end, after - 1)
      }
      return [...(end < from ? [] : await log.read(name, from, end)), ...own.toReversed().flat()]
    },
    async list(page) {
      const forked = [...forks].map(([session, { origin, after, texts, openedAt, last }]) => {
        const about = { openedAt, changedAt: last.at, forkedFrom: origin }
        return { session, version: after + texts.length, ...about }
      })
      return sessionPage([...(await log.list()), ...forked], page)
    },
  }
}
