import { randomUUID } from 'node:crypto'
import { addReferences, oldTrees, type PruneReport } from '../../../entries/log.ts'
import type { Database } from './database.ts'
import type { Statements } from './statements.ts'
import { nextSum, sessionNameOfKey } from '../rows/session-row.ts'
import { PRUNED } from '../rows/unwritten-definitions.ts'

/** Trees of sessions that one statement deletes; each session may have many entries. */
const TREES_AT_ONCE = 20

interface Pruning {
  readonly changedBefore: number
  readonly dryRun: boolean
  /** The channel that followers of sessions listen to. */
  readonly channel: string
}

/**
 * Deletes the trees of sessions that changed last before a time, and then the definitions that no entry
 * names, directly or through another definition.
 *
 * No statement takes long. References are collected from pages of entries while others write; only
 * the last transaction, which looks at the entries that were written since, keeps writers out.
 */
export async function pruneTables(
  database: Database,
  sql: Statements,
  pruning: Pruning,
): Promise<{ readonly report: PruneReport; readonly mark?: string }> {
  const { dryRun } = pruning
  const rows = await database.query('reading', sql.aged, [pruning.changedBefore])
  const names = new Map(
    rows.map(({ id, name }) => [String(id), sessionNameOfKey(name) ?? String(name)]),
  )
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  const trees = oldTrees(
    rows.map(({ id, is_old, text }) => ({
      session: names.get(String(id)) ?? '',
      isOld: is_old === true,
      first: typeof text === 'string' ? text : undefined,
    })),
  ).map((tree) => tree.flatMap((session) => ids.get(session) ?? []))
  const old = dryRun ? trees.flat() : await dropOld(database, sql, trees, pruning)
  const sessions = old.flatMap((id) => names.get(id) ?? [])
  const { seen, unused } = await findUnused(database, sql, dryRun ? old : [])
  if (dryRun) {
    const bytes = unused.reduce((sum, one) => sum + one.bytes, 0)
    return { report: { sessions, definitions: unused.length, bytes } }
  }
  const mark = randomUUID()
  const dropped = await database.withClient('writing', async (client) => {
    await database.queryOn(client, 'BEGIN')
    await database.queryOn(client, sql.lockForPrune)
    const hashes = unused.map(({ hash }) => hash)
    const rows = await database.queryOn(client, sql.dropUnused, [
      [...seen.keys()],
      [...seen.values()],
      hashes,
    ])
    await database.queryOn(client, sql.markPruned, [mark, nextSum(PRUNED, mark)])
    await database.queryOn(client, 'COMMIT')
    return rows
  })
  const bytes = dropped.reduce((sum, row) => sum + Number(row['bytes']), 0)
  return { report: { sessions, definitions: dropped.length, bytes }, mark }
}

/** Deletes the trees that are still old, and returns the ids of their sessions. */
async function dropOld(
  database: Database,
  sql: Statements,
  trees: readonly (readonly string[])[],
  { changedBefore, channel }: Pruning,
): Promise<readonly string[]> {
  const all: string[] = []
  for (let at = 0; at < trees.length; at += TREES_AT_ONCE) {
    const some = trees
      .slice(at, at + TREES_AT_ONCE)
      .flatMap((tree, index) => tree.map((id) => ({ id, index })))
    const gone = await database.query('writing', sql.dropOld, [
      some.map(({ id }) => id),
      some.map(({ index }) => index),
      changedBefore,
      channel,
    ])
    all.push(...gone.map(({ id }) => String(id)))
  }
  return all
}

interface UnusedDefinitions {
  /** The number of the last entry that was looked at, by id of its session. */
  readonly seen: ReadonlyMap<string, number>
  readonly unused: readonly { readonly hash: string; readonly bytes: number }[]
}

/**
 * Finds the definitions that no entry names so far. Definitions are read after the entries: one that
 * an entry names was written with it, or before.
 */
async function findUnused(
  database: Database,
  sql: Statements,
  leftOut: readonly string[],
): Promise<UnusedDefinitions> {
  const seen = new Map<string, number>()
  const named = new Set<string>()
  for (let at: readonly [string, number] | null = ['0', -1]; at !== null;) {
    const rows = await database.query('reading', sql.entryReferences, [...at, leftOut])
    for (const { session, seq, hashes } of rows) {
      seen.set(String(session), Number(seq))
      if (typeof hashes === 'string') for (const hash of hashes.split(' ')) named.add(hash)
    }
    const last = rows.at(-1)
    at = last === undefined ? null : [String(last['session']), Number(last['seq'])]
  }
  const definitions = new Map<string, { readonly bytes: number; readonly names: string }>()
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows = await database.query('reading', sql.definitionReferences, [after])
    for (const { hash, bytes, hashes } of rows) {
      definitions.set(String(hash), { bytes: Number(bytes), names: String(hashes ?? '') })
    }
    const last: unknown = rows.at(-1)?.['hash']
    after = typeof last === 'string' ? last : undefined
  }
  const referenced = new Set<string>([PRUNED])
  addReferences(named, referenced, (hash) => definitions.get(hash)?.names)
  const unused = [...definitions].flatMap(([hash, { bytes }]) =>
    referenced.has(hash) ? [] : { hash, bytes },
  )
  return { seen, unused }
}
