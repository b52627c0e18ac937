import type { EventLog } from 'loadout'
import {
  checkAppend,
  entryHash,
  Followers,
  parseEntry,
  planPruning,
  sessionPage,
  type SessionSummary,
  storedEntry,
} from 'loadout/log'

/** The part of `ctx.storage` that the log uses. */
export interface ObjectStorage {
  readonly sql: { exec(query: string, ...values: unknown[]): { toArray(): object[] } }
  transactionSync<T>(work: () => T): T
}

type Row = { readonly seq: number } & Readonly<Record<'hash' | 'format' | 'text', string>>

const TABLES = `CREATE TABLE IF NOT EXISTS entry (session, seq INTEGER, at, text, PRIMARY KEY (session, seq));
  CREATE TABLE IF NOT EXISTS definition (hash PRIMARY KEY, text);
  CREATE TABLE IF NOT EXISTS snapshot (session, seq INTEGER, format, text, PRIMARY KEY (session, seq, format));`

/** What the logs of one storage share: an object has one process. */
const shared = new WeakMap<ObjectStorage, { followers: Followers; prunings: number }>()

/** Keeps sessions in the SQLite of a Durable Object. Their names are stored as JSON: SQLite ends a text at NUL. */
export function durableObjectLog(storage: ObjectStorage): EventLog {
  const sql = <T = Row>(query: TemplateStringsArray, ...values: unknown[]) =>
    storage.sql.exec(query.join('?'), ...values).toArray() as T[]
  const own = shared.get(storage) ?? { followers: new Followers(), prunings: 0 }
  shared.set(storage, own)
  storage.sql.exec(TABLES)

  const texts = (session: string, from = 0, last = Infinity) =>
    sql`SELECT text FROM entry WHERE session = ${JSON.stringify(session)}
      AND seq BETWEEN ${from} AND ${last} ORDER BY seq`.map(({ text }) => text)
  const stored = (hash: string) => sql`SELECT text FROM definition WHERE hash = ${hash}`
  const summaries = () =>
    sql<SessionSummary>`SELECT session, max(seq) + 1 AS version, at AS changedAt,
      (SELECT at FROM entry AS first WHERE first.session = entry.session AND seq = 0) AS openedAt
      FROM entry GROUP BY session`.map((row) => ({ ...row, session: JSON.parse(row.session) }))
  const drop = (session: string) => {
    void sql`DELETE FROM entry WHERE session = ${JSON.stringify(session)}`
    void sql`DELETE FROM snapshot WHERE session = ${JSON.stringify(session)}`
  }

  return {
    async append(session, expected, entries, after) {
      const key = JSON.stringify(session)
      storage.transactionSync(() => {
        const [last] =
          sql`SELECT seq, text FROM entry WHERE session = ${key} ORDER BY seq DESC LIMIT 1`
        const lastHash = () => last && entryHash(parseEntry(last.text, last.seq, session))
        checkAppend({ session, expected, found: last ? last.seq + 1 : 0, entries, after, lastHash })
        for (const entry of entries) {
          void sql`INSERT INTO entry VALUES (${key}, ${entry.seq}, ${entry.at}, ${JSON.stringify(storedEntry(entry))})`
        }
      })
      if (entries.length > 0) own.followers.notify(session)
    },
    read: async (session, from = 0, last) =>
      texts(session, from, last).map((text, index) => parseEntry(text, from + index, session)),
    list: async (page) => sessionPage(summaries(), page),
    async delete(session) {
      storage.transactionSync(() => drop(session))
      own.followers.notify(session)
    },
    prune: async (request) =>
      storage.transactionSync(() => {
        const all = sql`SELECT hash, text FROM definition`
        const definitions = new Map(all.map(({ hash, text }) => [hash, text]))
        const plan = planPruning(request, { sessions: summaries(), texts, definitions })
        if (request?.dryRun === true) return plan.report
        for (const session of plan.report.sessions) drop(session)
        for (const hash of plan.unused) void sql`DELETE FROM definition WHERE hash = ${hash}`
        own.prunings += 1
        return plan.report
      }),
    definitions: {
      get epoch() {
        return String(own.prunings)
      },
      has: async (hash) => stored(hash).length > 0,
      put: async (hash, value) =>
        void sql`INSERT OR IGNORE INTO definition VALUES (${hash}, ${JSON.stringify(value)})`,
      get: async (hashes) =>
        new Map(hashes.flatMap((hash) => stored(hash).map(({ text }) => [hash, JSON.parse(text)]))),
    },
    snapshots: {
      async put(session, { seq, format, text }) {
        const key = JSON.stringify(session)
        void sql`REPLACE INTO snapshot SELECT session, seq, ${format}, ${text} FROM entry
          WHERE session = ${key} AND seq = ${seq}`
        void sql`DELETE FROM snapshot WHERE session = ${key} AND seq < (SELECT seq FROM snapshot
          WHERE session = ${key} ORDER BY seq DESC LIMIT 1 OFFSET 1)`
      },
      latest: async (session, format, atMost = Infinity) =>
        sql`SELECT seq, format, text FROM snapshot
          WHERE session = ${JSON.stringify(session)} AND format = ${format} AND seq <= ${atMost}
          ORDER BY seq DESC LIMIT 1`[0],
    },
    async follow(session, listener) {
      const stop = own.followers.follow(session, listener)
      return async () => stop()
    },
  }
}
