import type { ContentHash } from '../../kernel/content-hash.ts'
import {
  checkAppend,
  type EventLog,
  Followers,
  type ImmediateLog,
  sessionPage,
  type StoredSnapshot,
} from './event-log.ts'
import { planPruning } from './plan-pruning.ts'
import { entryHash, parseEntry, storedEntry } from './stored-entry.ts'

/** A log in memory: it commits at once, so it can also be written to without waiting. */
export interface MemoryLog extends EventLog {
  follow(session: string, listener: () => void): Promise<() => Promise<void>>
  readonly immediate: ImmediateLog
}

interface HeldSession {
  /** The entries, as JSON text. */
  readonly texts: string[]
  readonly openedAt: number
  changedAt: number
  lastHash: ContentHash
}

/** Logs that only the code has that opens their sessions. */
const own = new WeakSet<EventLog>()

/** Creates a log that nobody else can read, so it needs nothing that only another process would read. */
export function createOwnLog(): MemoryLog {
  const log = createMemoryLog()
  own.add(log)
  return log
}

export function isOwnLog(log: EventLog): boolean {
  return own.has(log)
}

/**
 * Creates a log that lasts as long as the process.
 *
 * It stores JSON text, so it shares no objects with its callers, and returns the same values as a log
 * on disk. Definitions remain when the sessions that used them are deleted, until the log is pruned.
 */
export function createMemoryLog(): MemoryLog {
  const sessions = new Map<string, HeldSession>()
  const definitions = new Map<ContentHash, string>()
  const snapshots = new Map<string, readonly StoredSnapshot[]>()
  const followers = new Followers()
  let prunings = 0
  /** Notifies after the change has returned, so that a listener never sees a command that is half done. */
  const notify = (session: string) => queueMicrotask(() => followers.notify(session))
  const immediate: ImmediateLog = {
    append(session, expected, entries, after) {
      const held = sessions.get(session)
      const found = held?.texts.length ?? 0
      checkAppend({ session, expected, found, entries, after, lastHash: () => held?.lastHash })
      const texts = entries.map((entry) => JSON.stringify(storedEntry(entry)))
      const [first] = entries
      const last = entries.at(-1)
      if (first === undefined || last === undefined) return
      if (held === undefined) {
        const lastHash = entryHash(last)
        sessions.set(session, { texts, openedAt: first.at, changedAt: last.at, lastHash })
      } else {
        held.texts.push(...texts)
        held.changedAt = last.at
        held.lastHash = entryHash(last)
      }
      notify(session)
    },
    read(session, from = 0, last = Infinity) {
      const texts = sessions.get(session)?.texts ?? []
      const first = Math.max(0, from)
      return texts
        .slice(first, last + 1)
        .map((text, index) => parseEntry(text, first + index, session))
    },
    delete(session) {
      snapshots.delete(session)
      if (sessions.delete(session)) notify(session)
    },
    definitions: {
      has: (hash) => definitions.has(hash),
      put(hash, definition) {
        definitions.set(hash, JSON.stringify(definition))
      },
      get(hashes) {
        const known = hashes.filter((hash) => definitions.has(hash))
        return new Map(known.map((hash) => [hash, JSON.parse(definitions.get(hash) ?? '')]))
      },
    },
  }
  return {
    immediate,
    append: async (...given) => immediate.append(...given),
    read: async (...given) => immediate.read(...given),
    delete: async (session) => immediate.delete(session),
    async list(page) {
      const all = [...sessions].map(([session, { texts, openedAt, changedAt }]) => {
        return { session, version: texts.length, openedAt, changedAt }
      })
      return sessionPage(all, page)
    },
    async prune(request) {
      const { report, unused } = planPruning(request, {
        sessions: [...sessions].map(([session, { changedAt }]) => ({ session, changedAt })),
        texts: (session) => sessions.get(session)?.texts ?? [],
        definitions,
      })
      if (request?.dryRun === true) return report
      for (const session of report.sessions) immediate.delete(session)
      for (const hash of unused) definitions.delete(hash as ContentHash)
      prunings += 1
      return report
    },
    definitions: {
      get epoch() {
        return String(prunings)
      },
      has: async (hash) => immediate.definitions.has(hash),
      put: async (hash, definition) => immediate.definitions.put(hash, definition),
      get: async (hashes) => immediate.definitions.get(hashes),
    },
    async follow(session, listener) {
      const stop = followers.follow(session, listener)
      return async () => stop()
    },
    snapshots: {
      async put(session, snapshot) {
        if (!sessions.has(session)) return
        const others = snapshots.get(session)?.filter(({ seq }) => seq !== snapshot.seq) ?? []
        const newest = [...others, snapshot].toSorted((a, b) => b.seq - a.seq).slice(0, 2)
        snapshots.set(session, newest)
      },
      async latest(session, format, atMost = Infinity) {
        const held = snapshots.get(session) ?? []
        return held.find((one) => one.format === format && one.seq <= atMost)
      },
    },
  }
}
