import type pg from 'pg'
import { textHash } from '../../../kernel/content-hash.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { laterLog } from '../../../workspace/log/later-log.ts'
import type { Database } from './database.ts'
import { OWN_TYPES } from './own-types.ts'

/** A schema, and the steps that make its tables. */
export interface FormatTarget {
  readonly name: string
  /** Quoted, as SQL takes it. */
  readonly schema: string
  readonly steps: readonly string[]
}

/**
 * Take a schema to the latest format, in one transaction: it is of the old format or of the new
 * one, whatever fails. Of several processes that open it at once, one does the work. What is of
 * the latest format already is only read, so a user who may not create anything can open it.
 *
 * Throws `LOG_FORMAT` for a later format, and for a schema that holds something else.
 */
export async function bringToFormat(database: Database, target: FormatTarget): Promise<void> {
  const { schema, steps } = target
  await database.withClient('writing', async (client) => {
    if ((await formatOf(client, database.place, target)) === steps.length) return
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockOf(target)])
    const format = await formatOf(client, database.place, target)
    if (format < 0) await client.query(`CREATE SCHEMA ${schema}`)
    if (format <= 0) await client.query(`CREATE TABLE ${schema}.loadout_log (format integer)`)
    if (format <= 0) await client.query(`INSERT INTO ${schema}.loadout_log VALUES (0)`)
    for (const step of steps.slice(Math.max(0, format))) await client.query(step)
    await client.query(`UPDATE ${schema}.loadout_log SET format = $1`, [steps.length])
    await client.query('COMMIT')
  })
}

/**
 * See that a schema is a log of the latest format, and change nothing. Throws `LOG_UNREADABLE` when it
 * is not there, or empty.
 */
export async function checkIsThere(database: Database, target: FormatTarget): Promise<void> {
  const { place } = database
  const { name, steps } = target
  const format = await database.withClient('reading', (client) => formatOf(client, place, target))
  if (format === steps.length) return
  throw new WorkspaceError('LOG_UNREADABLE', `There is no log in schema "${name}" of ${place}.`, {
    facts: { place, schema: name, reason: 'ENOENT' },
    hint: 'The first session that is written there makes it.',
  })
}

/** Format of a schema: 0 when it is empty, -1 when there is none. */
async function formatOf(
  client: pg.PoolClient,
  place: string,
  { name, schema, steps }: FormatTarget,
): Promise<number> {
  const { rows } = await client.query<{ known: boolean; ours: boolean; empty: boolean }>({
    text: `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS known,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = 'loadout_log') AS ours,
       NOT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1) AS empty`,
    values: [name],
    types: OWN_TYPES,
  })
  const [found] = rows
  if (!found?.known) return -1
  if (!found.ours) {
    if (found.empty) return 0
    throw new WorkspaceError('LOG_FORMAT', `Schema "${name}" in ${place} is not a Loadout log.`, {
      facts: { place, schema: name },
      hint: 'It holds tables of another program: name another schema, which is made for you.',
    })
  }
  const stored = await client.query<{ format: number }>({
    text: `SELECT format FROM ${schema}.loadout_log`,
    types: OWN_TYPES,
  })
  const format = stored.rows[0]?.format ?? 0
  checkFormat(place, format, steps.length)
  return format
}

/** Throws `LOG_FORMAT` for a schema that a later version has taken to its own format. */
export function checkFormat(place: string, format: unknown, latest: number): void {
  if (typeof format === 'number' && format <= latest) return
  throw laterLog({ what: `${place} holds a log`, found: format, latest, facts: { place } })
}

/** A lock of our own for each schema, of the 2^63 that all programs share. */
function lockOf({ name }: FormatTarget): string {
  const digits = textHash(`loadout log ${name}`).slice('sha256:'.length, 'sha256:'.length + 15)
  return BigInt(`0x${digits}`).toString()
}
