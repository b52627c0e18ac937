import { describe, expect, test } from 'vitest'
import { DatabaseSync } from 'node:sqlite'
import { type ContentHash, type EventLog, WorkspaceError } from 'loadout'
import {
  addReferences,
  checkAppend,
  checkPrune,
  entryHash,
  Followers,
  oldTrees,
  readEntry,
  sessionPage,
  storedEntry,
} from 'loadout/log'
import { eventLogContract } from 'loadout/testing'

/** A place for texts that several logs share, as a server would be. */
class TextStore {
  readonly #database = new DatabaseSync(':memory:')
  readonly followers = new Followers()
  prunings = 0

  constructor() {
    this.#database.exec(`CREATE TABLE entry (session TEXT, seq INTEGER, text TEXT);
      CREATE TABLE definition (hash TEXT PRIMARY KEY, text TEXT)`)
  }

  /** Runs a change that either takes place or does not. */
  change<T>(work: () => T): T {
    this.run('BEGIN')
    try {
      const result = work()
      this.run('COMMIT')
      return result
    } catch (error) {
      this.run('ROLLBACK')
      throw error
    }
  }

  run(sql: string, ...values: readonly (string | number)[]): void {
    this.#database.prepare(sql).run(...values)
  }

  rows(sql: string, ...values: readonly (string | number)[]) {
    return this.#database.prepare(sql).all(...values)
  }

  /** Reads the stored texts of a session, by its key. */
  texts(key: string): readonly string[] {
    const rows = this.rows('SELECT text FROM entry WHERE session = ? ORDER BY seq', key)
    return rows.map(({ text }) => String(text))
  }

  definition(hash: string): string | undefined {
    const [row] = this.rows('SELECT text FROM definition WHERE hash = ?', hash)
    return row === undefined ? undefined : String(row['text'])
  }
}

/** A log as a host writes it, with nothing but public names. */
function openOwnLog(store: TextStore): EventLog {
  const entriesIn = (session: string) =>
    store.texts(JSON.stringify(session)).map((text, seq) => {
      const entry = readEntry(JSON.parse(text), seq, { session })
      if (entry) return entry
      throw new WorkspaceError('LOG_DAMAGED', `Entry ${seq} of "${session}" is damaged.`)
    })
  const summaries = () =>
    store.rows('SELECT DISTINCT session FROM entry').map(({ session: key }) => {
      const session = JSON.parse(String(key)) as string
      const entries = entriesIn(session)
      const [openedAt = 0, changedAt = 0] = [entries.at(0)?.at, entries.at(-1)?.at]
      return { session, version: entries.length, openedAt, changedAt }
    })
  const drop = (session: string) =>
    store.run('DELETE FROM entry WHERE session = ?', JSON.stringify(session))
  return {
    async append(session, expected, entries, after) {
      const texts = entries.map((entry) => JSON.stringify(storedEntry(entry)))
      store.change(() => {
        const known = entriesIn(session)
        const last = known.at(-1)
        const lastHash = () => last && entryHash(last)
        checkAppend({ session, expected, found: known.length, entries, after, lastHash })
        for (const [index, text] of texts.entries()) {
          const values = [JSON.stringify(session), expected + index, text] as const
          store.run('INSERT INTO entry VALUES (?, ?, ?)', ...values)
        }
      })
      store.followers.notify(session)
    },
    async read(session, from = 0, last = Infinity) {
      return entriesIn(session).slice(Math.max(0, from), Math.max(0, last + 1))
    },
    async list(page) {
      return sessionPage(summaries(), page)
    },
    async delete(session) {
      drop(session)
      store.followers.notify(session)
    },
    async prune(request = {}) {
      checkPrune(request)
      const { changedBefore = -Infinity, dryRun = false } = request
      return store.change(() => {
        const aged = summaries().map(({ session, changedAt }) => {
          const [first] = store.texts(JSON.stringify(session))
          return { session, isOld: changedAt < changedBefore, first }
        })
        const sessions = oldTrees(aged).flat()
        const left = aged.filter(({ session }) => !sessions.includes(session))
        const texts = left.flatMap(({ session }) => store.texts(JSON.stringify(session)))
        const referenced = new Set<string>()
        addReferences(texts, referenced, (hash) => store.definition(hash))
        const unused = store
          .rows('SELECT hash, length(CAST(text AS BLOB)) AS bytes FROM definition')
          .filter(({ hash }) => !referenced.has(String(hash)))
        if (!dryRun) {
          for (const session of sessions) drop(session)
          for (const { hash } of unused) {
            store.run('DELETE FROM definition WHERE hash = ?', String(hash))
          }
          store.prunings += 1
        }
        const bytes = unused.reduce((sum, row) => sum + Number(row['bytes']), 0)
        return { sessions, definitions: unused.length, bytes }
      })
    },
    definitions: {
      get epoch() {
        return String(store.prunings)
      },
      has: async (hash) => store.definition(hash) !== undefined,
      put: async (hash, value) =>
        store.run('INSERT OR IGNORE INTO definition VALUES (?, ?)', hash, JSON.stringify(value)),
      async get(hashes) {
        const known = hashes.map((hash) => [hash, store.definition(hash)] as const)
        return new Map(
          known.flatMap(([hash, text]): [ContentHash, never][] =>
            text === undefined ? [] : [[hash, JSON.parse(text) as never]],
          ),
        )
      },
    },
    async follow(session, listener) {
      const stop = store.followers.follow(session, listener)
      return async () => stop()
    },
  }
}

eventLogContract({ describe, expect, test }, 'A log of a host, written with public names alone', {
  sessions: 'many',
  follows: true,
  create: async () => {
    const store = new TextStore()
    return { log: openOwnLog(store), again: async () => openOwnLog(store) }
  },
})
