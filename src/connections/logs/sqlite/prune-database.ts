import { randomUUID } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  addReferences,
  oldTrees,
  type PruneReport,
  type PruneRequest,
} from '../../../entries/log.ts'
import type { SessionTables } from './session-tables.ts'
import { nextSum, PARENT_MARK, sessionNameOfKey } from '../rows/session-row.ts'
import { PRUNED } from '../rows/unwritten-definitions.ts'

/** Rows that one transaction reads or deletes. */
const PAGE = 1_000

/** Trees of sessions that one transaction deletes; each session may have many entries. */
const TREES_AT_ONCE = 20

/**
 * Deletes the trees of sessions that changed last before a time, and then the definitions that no entry
 * names, directly or through another definition.
 *
 * No transaction takes long, and between two of them other work of the process and other writers go on. References are collected from pages of entries while others write; a
 * transaction that deletes first reads the entries that were written since.
 */
export async function pruneDatabase(
  database: DatabaseSync,
  tables: SessionTables,
  { read, write }: Readonly<Record<'read' | 'write', <T>(work: () => T) => Promise<T>>>,
  { changedBefore = -Number.MAX_VALUE, dryRun = false }: PruneRequest,
): Promise<PruneReport> {
  // The table in its order, not the index on times: nothing would notice that the index is damaged.
  const findAll = database.prepare(
    `SELECT name, changed_at < ? AS is_old, text FROM session
     LEFT JOIN entry ON entry.session = name AND seq = 0 AND instr(text, '${PARENT_MARK}')
     ORDER BY name`,
  )
  const isOld = database.prepare('SELECT 1 FROM session WHERE name = ? AND changed_at < ?')
  const trees = oldTrees(
    (await read(() => findAll.all(changedBefore))).map(({ name, is_old, text }) => ({
      session: sessionNameOfKey(name) ?? String(name),
      isOld: is_old === 1,
      first: typeof text === 'string' ? text : undefined,
    })),
  )
  // A session that was opened below one of them since then has left an entry there.
  const deleteOld = (tree: readonly string[]) => {
    const isStill = tree.every((one) => isOld.get(JSON.stringify(one), changedBefore))
    if (isStill) for (const session of tree) tables.delete(session)
    return isStill ? tree : []
  }
  const sessions = dryRun
    ? trees.flat()
    : await inParts(trees, TREES_AT_ONCE, (part) => write(() => part.flatMap(deleteOld)))

  const sweep = new DefinitionSweep(database, dryRun ? sessions : [])
  while (!(await read(() => sweep.readPage()))) await nextTurn()
  const unused: UnusedDefinition[] = []
  for (let page = await read(() => sweep.unused('')); page !== null;) {
    const { last } = page
    unused.push(...page.unused)
    await nextTurn()
    page = await read(() => sweep.unused(last))
  }
  const dropped = dryRun
    ? unused
    : await inParts(unused, PAGE, (part) => write(() => sweep.drop(part)))
  if (!dryRun) await write(() => sweep.mark())
  const bytes = dropped.reduce((sum, one) => sum + one.bytes, 0)
  return { sessions, definitions: dropped.length, bytes }
}

/** Does work on one part of a list after the other, and joins the results. */
async function inParts<Part, Done>(
  all: readonly Part[],
  size: number,
  work: (part: readonly Part[]) => Promise<readonly Done[]>,
): Promise<readonly Done[]> {
  const done: Done[] = []
  for (let at = 0; at < all.length; at += size) {
    done.push(...(await work(all.slice(at, at + size))))
    await nextTurn()
  }
  return done
}

interface UnusedDefinition {
  readonly hash: string
  readonly bytes: number
}

/** Finds and deletes definitions that no entry names. The caller runs every method in a transaction. */
class DefinitionSweep {
  /** JSON texts of the sessions whose entries do not count. */
  readonly #skipped: ReadonlySet<unknown>
  readonly #referenced = new Set<string>([PRUNED])
  /** The entries up to which references were collected. */
  readonly #places: { readonly row: number; readonly sum: unknown }[] = []
  readonly #sum: StatementSync
  readonly #entries: StatementSync
  readonly #text: StatementSync
  readonly #definitions: StatementSync
  readonly #drop: StatementSync
  readonly #mark: StatementSync

  constructor(database: DatabaseSync, skipped: readonly string[]) {
    this.#skipped = new Set(skipped.map((session) => JSON.stringify(session)))
    this.#sum = database.prepare('SELECT sum FROM entry WHERE rowid = ?')
    this.#entries = database.prepare(
      `SELECT rowid AS row, session, text, sum FROM entry WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
    )
    this.#text = database.prepare('SELECT text FROM definition WHERE hash = ?')
    this.#definitions = database.prepare(
      `SELECT hash, length(CAST(text AS BLOB)) AS bytes FROM definition
       WHERE hash > ? ORDER BY hash LIMIT ${PAGE}`,
    )
    this.#drop = database.prepare('DELETE FROM definition WHERE hash = ?')
    this.#mark = database.prepare('REPLACE INTO definition VALUES (?, ?, ?)')
  }

  /** Collects the references of the next entries. Returns true when there are no later ones. */
  readPage(): boolean {
    const rows = this.#entries.all(this.#lastIntact())
    const texts = rows.flatMap(({ session, text }) =>
      typeof text !== 'string' || this.#skipped.has(session) ? [] : text,
    )
    addReferences(texts, this.#referenced, (hash) => {
      const text = this.#text.get(hash)?.['text']
      return typeof text === 'string' ? text : undefined
    })
    const last = rows.at(-1)
    if (last !== undefined) this.#places.push({ row: Number(last['row']), sum: last['sum'] })
    return rows.length < PAGE
  }

  /** Returns the next definitions without a reference, and the last one looked at; null after the last. */
  unused(after: string): { unused: readonly UnusedDefinition[]; last: string } | null {
    const rows = this.#definitions.all(after)
    const last = rows.at(-1)?.['hash']
    if (last === undefined) return null
    const all = rows.map(({ hash, bytes }) => ({ hash: String(hash), bytes: Number(bytes) }))
    return { unused: all.filter(({ hash }) => !this.#referenced.has(hash)), last: String(last) }
  }

  /** Deletes definitions, except those that were named since, and returns what it deleted. */
  drop(unused: readonly UnusedDefinition[]): readonly UnusedDefinition[] {
    while (!this.readPage());
    const dropped = unused.filter(({ hash }) => !this.#referenced.has(hash))
    for (const { hash } of dropped) this.#drop.run(hash)
    this.mark()
    return dropped
  }

  /** Leaves a mark by which others notice that definitions may be gone. */
  mark(): void {
    const mark = randomUUID()
    this.#mark.run(PRUNED, mark, nextSum(PRUNED, mark))
  }

  /**
   * Returns the row after which entries were not read. While an entry is there, later ones have
   * greater row numbers; when it was deleted, its number may have been given again.
   */
  #lastIntact(): number {
    for (let place = this.#places.at(-1); place !== undefined; place = this.#places.at(-1)) {
      if (this.#sum.get(place.row)?.['sum'] === place.sum) return place.row
      this.#places.pop()
    }
    return -1
  }
}
