import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { LOG_FORMAT, type Entry } from '../../../engine/model/event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { checkAppend, checkFollows } from '../../../workspace/log/check-append.ts'
import type { EntryPlace } from '../../../workspace/log/read-entry.ts'
import type { SessionSummary } from '../../../workspace/log/ports.ts'
import { damagedSession } from '../../../workspace/log/damaged-session.ts'
import { listedEntries, listedSession } from '../../../workspace/log/listed-session.ts'
import { laterFormat } from '../../../workspace/log/later-format.ts'
import { longerSession } from '../../../workspace/log/longer-session.ts'
import { nextSum } from '../../../workspace/log/next-sum.ts'
import {
  readSessionRow,
  sessionColumns,
  type SessionRow,
} from '../../../workspace/log/session-row.ts'
import type { DefinitionText } from '../../../workspace/log/unwritten-definitions.ts'
import { storedHash } from '../../../workspace/log/stored-hash.ts'
import { walkEntries } from '../../../workspace/log/walk-entries.ts'
import { walkPart } from '../../../workspace/log/walk-part.ts'
import { rowsOf } from './rows-of.ts'

/** A number that no entry has. */
const MOST = Number.MAX_SAFE_INTEGER

/** Sessions that have entries and no row, from one name to the next in the index of the entries. */
const ROWLESS = `WITH RECURSIVE known(name) AS (
    SELECT min(session) FROM entry
    UNION ALL
    SELECT (SELECT min(session) FROM entry WHERE session > known.name)
    FROM known WHERE known.name IS NOT NULL
  )
  SELECT name, (SELECT max(seq) + 1 FROM entry WHERE session = known.name) AS version
  FROM known WHERE name IS NOT NULL AND name NOT IN (SELECT name FROM session)`

/** The tables of a log's sessions, entries and definitions. Every method is to run inside a transaction of the caller's. */
export class SessionTables {
  readonly #file: string
  readonly #sessions: StatementSync
  readonly #rowless: StatementSync
  readonly #session: StatementSync
  readonly #putSession: StatementSync
  readonly #entries: StatementSync
  readonly #entry: StatementSync
  readonly #text: StatementSync
  readonly #putEntry: StatementSync
  readonly #dropSession: StatementSync
  readonly #dropEntries: StatementSync
  readonly #dropSnapshots: StatementSync
  readonly #definition: StatementSync
  readonly #putDefinition: StatementSync

  constructor(file: string, database: DatabaseSync) {
    this.#file = file
    this.#sessions = database.prepare('SELECT * FROM session')
    this.#rowless = database.prepare(ROWLESS)
    this.#session = database.prepare('SELECT * FROM session WHERE name = ?')
    this.#putSession = database.prepare('REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?)')
    this.#entries = database.prepare(
      'SELECT seq, text, sum FROM entry WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq',
    )
    this.#entry = database.prepare('SELECT sum FROM entry WHERE session = ? AND seq = ?')
    this.#text = database.prepare('SELECT seq, text FROM entry WHERE session = ? AND seq = ?')
    this.#putEntry = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)')
    this.#dropSession = database.prepare('DELETE FROM session WHERE name = ?')
    this.#dropEntries = database.prepare('DELETE FROM entry WHERE session = ?')
    this.#dropSnapshots = database.prepare('DELETE FROM snapshot WHERE session = ?')
    this.#definition = database.prepare('SELECT text, sum FROM definition WHERE hash = ?')
    this.#putDefinition = database.prepare('INSERT OR IGNORE INTO definition VALUES (?, ?, ?)')
  }

  append(
    session: string,
    expected: number,
    entries: readonly Entry[],
    after: ContentHash | undefined,
  ): void {
    const row = this.#rowOf(session)
    const found = row?.version ?? 0
    checkAppend({ session, expected, found, entries })
    checkFollows(session, expected, after, () =>
      storedHash(this.#text.get(JSON.stringify(session), found - 1)),
    )
    const [first, ...others] = entries
    if (first === undefined) return
    const { row: next, texts, sums } = longerSession(session, row, [first, ...others])
    for (const [index, text] of texts.entries()) {
      this.#putEntry.run(next.key, found + index, text, sums[index] ?? '')
    }
    this.#putSession.run(...sessionColumns(next))
  }

  /** Entries from `from` up to and with `last`. Throws `LOG_DAMAGED` when they, or the session's row, are not what was written. */
  read(session: string, from: number, last: number): readonly Entry[] {
    const row = this.#rowOf(session)
    const end = Math.min(last + 1, row?.version ?? 0)
    if (row === null || from >= end) return []
    const { key } = row
    const before = from === 0 ? key : this.#entry.get(key, from - 1)?.['sum']
    const rows = rowsOf(this.#entries, key, from, end - 1)
    const place = this.#placeOf(session)
    const { entries, fault } = walkPart(rows, { row, from, end, before, place })
    if (fault !== null) throw this.#damage(session, fault)
    return entries
  }

  /** Every session, the damaged ones among them. */
  list(): readonly SessionSummary[] {
    const rowless = this.#rowless
      .all()
      .map(({ name, version }) => listedEntries(String(name), Number(version)))
    return [...this.#sessions.all().map(listedSession), ...rowless].sort((a, b) =>
      a.session < b.session ? -1 : 1,
    )
  }

  delete(session: string): void {
    const key = JSON.stringify(session)
    this.#dropEntries.run(key)
    this.#dropSnapshots.run(key)
    this.#dropSession.run(key)
  }

  /** JSON text. */
  definition(hash: ContentHash): string | undefined {
    const row = this.#definition.get(hash)
    if (row === undefined) return undefined
    const { text, sum } = row
    if (typeof text === 'string' && sum === nextSum(hash, text)) return text
    throw damagedSession({
      keptIn: { file: this.#file },
      reason: `definition ${hash} is not what was written`,
      session: null,
      lastGoodSeq: null,
    })
  }

  keep(definitions: readonly DefinitionText[]): void {
    for (const [hash, text] of definitions) {
      this.#putDefinition.run(hash, text, nextSum(hash, text))
    }
  }

  /** Null for an unknown session: one of which there is neither a row nor an entry. */
  #rowOf(session: string): SessionRow | null {
    const key = JSON.stringify(session)
    const columns = this.#session.get(key)
    if (columns === undefined) {
      if (this.#entries.get(key, 0, MOST) === undefined) return null
      throw this.#damage(session, 'its row is missing')
    }
    const row = readSessionRow(columns)
    if (row === null) throw this.#damage(session, 'its row is not what was written')
    if (row.format > LOG_FORMAT) {
      throw laterFormat({ session, format: row.format, keptIn: { file: this.#file } })
    }
    if (this.#entry.get(key, row.version - 1)?.['sum'] !== row.lastSum) {
      throw this.#damage(session, `it should have ${row.version} entries`)
    }
    return row
  }

  /** Looks for the last whole entry from the beginning, wherever the damage was met. */
  #damage(session: string, met: string): WorkspaceError {
    const key = JSON.stringify(session)
    const rows = rowsOf(this.#entries, key, 0, MOST)
    const start = { seq: 0, sum: key, place: this.#placeOf(session) }
    const { entries, fault } = walkEntries(rows, start)
    return damagedSession({
      keptIn: { file: this.#file },
      reason: fault ?? met,
      session,
      lastGoodSeq: entries.length - 1,
    })
  }

  #placeOf(session: string): EntryPlace {
    return { session, file: this.#file }
  }
}
