import type pg from 'pg'
import { WorkspaceError } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import { COLUMN_TYPES, type Database } from './database.ts'
import { logFormatTooNew } from '../log-location.ts'

/** A schema, and the migrations that create its tables. */
interface SchemaTarget {
  readonly name: string
  /** Quoted for SQL. */
  readonly schema: string
  readonly steps: readonly string[]
}

/**
 * Migrates a schema to the latest format in one transaction: on any failure it keeps the old
 * format. When several processes open it at the same time, one of them does the work. A schema of
 * the latest format is only read, so a user without the right to create tables can open it.
 *
 * Throws `LOG_FORMAT` for a later format, and for a schema that contains something else.
 */
export async function migrateSchema(database: Database, target: SchemaTarget): Promise<void> {
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
 * Checks that a schema is a log, and changes nothing: earlier formats have all that is read. Throws
 * `LOG_UNREADABLE` when it does not exist or is empty.
 */
export async function checkSchemaExists(database: Database, target: SchemaTarget): Promise<void> {
  const { place } = database
  const { name } = target
  const format = await database.withClient('reading', (client) => formatOf(client, place, target))
  if (format > 0) return
  throw new WorkspaceError('LOG_UNREADABLE', `There is no log in schema "${name}" of ${place}.`, {
    facts: { place, schema: name, reason: 'ENOENT' },
    hint: 'The first session that is written there creates it.',
  })
}

/** Returns the format of a schema: 0 when it is empty, -1 when it does not exist. */
async function formatOf(
  client: pg.PoolClient,
  place: string,
  { name, schema, steps }: SchemaTarget,
): Promise<number> {
  const { rows } = await client.query<{ known: boolean; ours: boolean; empty: boolean }>({
    text: `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS known,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = 'loadout_log') AS ours,
       NOT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1) AS empty`,
    values: [name],
    types: COLUMN_TYPES,
  })
  const [found] = rows
  if (!found?.known) return -1
  if (!found.ours) {
    if (found.empty) return 0
    throw new WorkspaceError('LOG_FORMAT', `Schema "${name}" in ${place} is not a Loadout log.`, {
      facts: { place, schema: name },
      hint: 'It contains tables of another program. Give another schema, which is created for you.',
    })
  }
  const stored = await client.query<{ format: number }>({
    text: `SELECT format FROM ${schema}.loadout_log`,
    types: COLUMN_TYPES,
  })
  const format = stored.rows[0]?.format ?? 0
  checkSchemaFormat(place, format, steps.length)
  return format
}

/** Throws `LOG_FORMAT` for a schema that a later version has migrated. */
export function checkSchemaFormat(place: string, format: unknown, latest: number): void {
  if (typeof format === 'number' && format <= latest) return
  throw logFormatTooNew({ what: `${place} holds a log`, found: format, latest, facts: { place } })
}

/** Returns the advisory lock of a schema. All programs of a server share 2^63 of them. */
function lockOf({ name }: SchemaTarget): string {
  const digits = textHash(`loadout log ${name}`).slice('sha256:'.length, 'sha256:'.length + 15)
  return BigInt(`0x${digits}`).toString()
}

/**
 * The migrations: the step at index n takes a schema from format n to n + 1. A released step is
 * never changed.
 *
 * Session names are stored as JSON text and found by their hash: PostgreSQL allows neither NUL nor
 * lone surrogates, and its indexes take no long texts. Entries are stored as text, since `jsonb`
 * does not return the same text. `append` is the id of the append that wrote an entry. The `sum` of
 * an entry covers it and all entries before it, that of any other row the row alone; a snapshot
 * carries its own checksum.
 *
 * @param schema quoted for SQL
 */
export function postgresMigrations(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.session (
       id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       key text NOT NULL UNIQUE,
       name text NOT NULL,
       format integer NOT NULL,
       version integer NOT NULL,
       opened_at double precision NOT NULL,
       changed_at double precision NOT NULL,
       last_sum text NOT NULL,
       sum text NOT NULL
     );
     CREATE TABLE ${schema}.entry (
       session bigint NOT NULL REFERENCES ${schema}.session ON DELETE CASCADE,
       seq integer NOT NULL,
       text text NOT NULL,
       sum text NOT NULL,
       append uuid NOT NULL,
       PRIMARY KEY (session, seq)
     );
     CREATE TABLE ${schema}.definition (
       hash text PRIMARY KEY,
       text text NOT NULL,
       sum text NOT NULL
     );
     CREATE TABLE ${schema}.snapshot (
       session bigint NOT NULL REFERENCES ${schema}.session ON DELETE CASCADE,
       format text NOT NULL,
       seq integer NOT NULL,
       text text NOT NULL,
       PRIMARY KEY (session, format, seq)
     );`,
    `CREATE INDEX session_by_change ON ${schema}.session (changed_at DESC, key)`,
  ]
}
