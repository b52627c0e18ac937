import { randomUUID } from 'node:crypto'
import type { Database, Row } from './database.ts'
import type { Statements } from './statements.ts'
import type { PruneReport } from '../../../workspace/log/event-log.ts'
import { nextSum, sessionNameOfKey } from '../../../workspace/log/session-row.ts'
import { addReferences, PRUNED } from '../../../workspace/log/unwritten-definitions.ts'

/** Sessions that one statement deletes; each may have many entries. */
const SESSIONS_AT_ONCE = 20

interface Pruning {
  readonly changedBefore: number
  readonly dryRun: boolean
  /** The channel that followers of sessions listen to. */
  readonly channel: string
}

/**
 * Deletes the sessions that changed last before a time, and then the definitions that no entry
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
  const old = await (dryRun
    ? database.query('reading', sql.old, [pruning.changedBefore])
    : dropOld(database, sql, pruning))
  const sessions = old.map(({ name }) => sessionNameOfKey(name) ?? String(name))
  const { seen, unused } = await findUnused(database, sql, dryRun ? pruning.changedBefore : -1e300)
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

async function dropOld(
  database: Database,
  sql: Statements,
  { changedBefore, channel }: Pruning,
): Promise<readonly Row[]> {
  const all: Row[] = []
  for (;;) {
    const some = await database.query('writing', sql.dropOld, [
      changedBefore,
      SESSIONS_AT_ONCE,
      channel,
    ])
    all.push(...some)
    if (some.length < SESSIONS_AT_ONCE) return all
  }
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
  leaveOutBefore: number,
): Promise<UnusedDefinitions> {
  const seen = new Map<string, number>()
  const named = new Set<string>()
  for (let at: readonly [string, number] | null = ['0', -1]; at !== null;) {
    const rows = await database.query('reading', sql.entryReferences, [...at, leaveOutBefore])
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
