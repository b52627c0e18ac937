import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres, type PostgresServer } from '../../../../scripts/start-postgres.ts'
import {
  openPostgresLog,
  openSessionsLog,
  type PostgresLog,
} from '../../../../src/connections/logs/postgres/open-postgres-log.ts'
import {
  lockBucket,
  channelOf,
} from '../../../../src/connections/logs/postgres/session-listener.ts'
import { sessionKey } from '../../../../src/connections/logs/postgres/session-reader.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'
import { aProxy, type Proxy } from './a-proxy.ts'
import { storedDefinition } from '../../../../src/connections/logs/contract/event-log-case.ts'

let server: PostgresServer
let proxy: Proxy
let admin: pg.Pool
const opened: PostgresLog[] = []

beforeAll(async () => {
  server = await startPostgres()
  proxy = await aProxy(server.url)
  admin = new pg.Pool({ connectionString: server.url })
  admin.on('error', () => undefined)
})

afterEach(async () => {
  proxy.heal()
  for (const log of opened.splice(0)) await log.close()
  await admin.query('DROP SCHEMA IF EXISTS loadout CASCADE')
})

afterAll(async () => {
  await admin.end()
  await proxy.stop()
  await server.stop()
})

async function open(...given: Partial<Parameters<typeof openPostgresLog>>): Promise<PostgresLog> {
  const [database = proxy.url, options] = given
  const log = await openPostgresLog(database, options)
  opened.push(log)
  return log
}

/** Opens a log with another time to retry, as our own commands do. */
async function openFor(retryMs: number): Promise<PostgresLog> {
  const log = await openSessionsLog(proxy.url, {}, retryMs)
  opened.push(log)
  return log
}

test('many that open a new database at once make its tables once', async () => {
  const logs = await Promise.all(Array.from({ length: 8 }, () => open()))
  await logs[0]?.append('s1', 0, someEntries(0, 1))
  expect(await logs[7]?.read('s1')).toEqual(someEntries(0, 1))
  const { rows } = await admin.query('SELECT * FROM loadout.loadout_log')
  expect(rows).toEqual([{ format: 2 }])
})

test('a log that is only looked at is not made, and not changed', async () => {
  const looking = () => open(server.url, { readOnly: true })
  const absent = { code: 'LOG_UNREADABLE', facts: { schema: 'loadout', reason: 'ENOENT' } }
  await expect(looking()).rejects.toMatchObject(absent)
  await admin.query('CREATE SCHEMA loadout')
  await expect(looking()).rejects.toMatchObject(absent)

  const log = await open()
  await log.append('s1', 0, someEntries(0, 2))
  const looked = await looking()
  expect(await looked.read('s1')).toEqual(someEntries(0, 2))
  const snapshot = { seq: 1, format: '1', text: '{}' }
  for (const change of [
    () => looked.append('s1', 2, someEntries(2, 1)),
    () => looked.delete('s1'),
    () => looked.snapshots.put('s1', snapshot),
  ]) {
    await expect(change()).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED' })
  }
  expect(await log.read('s1')).toEqual(someEntries(0, 2))
  expect(await log.snapshots.latest('s1', '1')).toBeUndefined()
})

test('a log of an earlier format is read unchanged, and gets its index when it is opened for writing', async () => {
  const first = await open()
  await first.append('s1', 0, someEntries(0, 1))
  await first.close()
  await admin.query(`DROP INDEX loadout.session_by_change;
    UPDATE loadout.loadout_log SET format = 1`)
  const indexes = async () => {
    const { rows } = await admin.query(
      `SELECT indexname FROM pg_indexes WHERE indexname = 'session_by_change'`,
    )
    return rows.length
  }
  const looked = await open(server.url, { readOnly: true })
  expect(await looked.read('s1')).toEqual(someEntries(0, 1))
  expect(await looked.list({ limit: 1 })).toMatchObject([{ session: 's1' }])
  expect(await indexes()).toBe(0)
  const log = await open()
  expect(await indexes()).toBe(1)
  await log.append('s1', 1, someEntries(1, 2))
  expect(await looked.read('s1')).toEqual(someEntries(0, 2))
})

test('a user who may create nothing opens what is there', async () => {
  const first = await open()
  await first.append('s1', 0, someEntries(0, 1))
  await admin.query(`DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN PASSWORD 'clerk';
    GRANT USAGE ON SCHEMA loadout TO clerk;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA loadout TO clerk`)
  const address = new URL(server.url)
  address.username = 'clerk'
  address.password = 'clerk'
  const log = await open(address.href)
  await log.append('s1', 1, someEntries(1, 2))
  expect(await log.read('s1')).toEqual(someEntries(0, 2))
  await expect(open(address.href, { schema: 'other' })).rejects.toMatchObject({
    code: 'LOG_WRITE_FAILED',
    facts: { reason: '42501' },
  })
  await log.close()
  await admin.query('DROP OWNED BY clerk; DROP ROLE clerk')
})

test('a log of a later format stops who would misread it, also one that is open already', async () => {
  const log = await open()
  await log.append('s1', 0, someEntries(0, 1))
  await log.read('s1')
  await admin.query(`UPDATE loadout.loadout_log SET format = 99;
    ALTER TABLE loadout.session ADD COLUMN later text`)
  const later = { code: 'LOG_FORMAT', facts: { expected: 2, found: 99 } }
  await expect(open()).rejects.toMatchObject(later)
  await expect(log.read('s1')).rejects.toMatchObject(later)
  await expect(log.list()).rejects.toMatchObject(later)
  await expect(log.append('s1', 1, someEntries(1, 2))).rejects.toMatchObject(later)
  const { rows } = await admin.query('SELECT version FROM loadout.session')
  expect(rows).toEqual([{ version: 1 }])
})

test('a session whose row is damaged is listed with the others', async () => {
  const log = await open()
  await log.append('s1', 0, someEntries(0, 1))
  await log.append('s2', 0, someEntries(0, 2))
  await admin.query(`UPDATE loadout.session SET version = 7 WHERE name = '"s1"'`)
  expect(await log.list()).toMatchObject([
    { session: 's2', version: 2 },
    { session: 's1', damage: 'its row is not what was written' },
  ])
  await expect(log.read('s1')).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
})

test('a pool of one connection does all but follow, which would take that one', async () => {
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  const log = await open(pool)
  await expect(log.follow('s1', () => undefined)).rejects.toMatchObject({
    code: 'LOG_NOT_FOLLOWED',
  })
  await log.append('s1', 0, someEntries(0, 1))
  expect(await log.read('s1')).toEqual(someEntries(0, 1))
  await log.close()
  await pool.end()
})

test('the schema of another program is left alone', async () => {
  await admin.query('CREATE SCHEMA loadout; CREATE TABLE loadout.session (mine text)')
  await expect(open()).rejects.toMatchObject({ code: 'LOG_FORMAT', facts: { schema: 'loadout' } })
  const { rows } = await admin.query(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'loadout'`,
  )
  expect(rows).toEqual([{ table_name: 'session' }])
})

test('an empty schema that somebody made is taken', async () => {
  await admin.query('CREATE SCHEMA loadout')
  const log = await open()
  await log.append('s1', 0, someEntries(0, 1))
  expect(await log.list()).toHaveLength(1)
})

test.each(['with "quotes" and $1', '__proto__', "'; DROP SCHEMA public; --", 'é'.repeat(31)])(
  'a schema may be named %j',
  async (schema) => {
    const log = await open(server.url, { schema })
    await log.append('s1', 0, someEntries(0, 1))
    expect(await (await open(server.url, { schema })).read('s1')).toEqual(someEntries(0, 1))
    await admin.query(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`)
  },
)

test.each(['', 'é'.repeat(32), 'a\0b'])('a schema cannot be named %j', async (schema) => {
  await expect(open(server.url, { schema })).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
})

test.each([{ session: 'x'.repeat(100_000) }, { session: '\0' }, { session: '\u{d800}' }])(
  'a session may have a name that no index takes',
  async ({ session }) => {
    const log = await open()
    await log.append(session, 0, someEntries(0, 1))
    expect((await log.list()).map((one) => one.session)).toEqual([session])
    expect(await log.read(session)).toEqual(someEntries(0, 1))
  },
)

test('a session of many thousand entries is read completely, and from any entry on', async () => {
  const log = await open()
  await log.append('s1', 0, someEntries(0, 4_100))
  expect(await log.read('s1')).toEqual(someEntries(0, 4_100))
  expect(await log.read('s1', 1_999, 2_001)).toEqual(someEntries(1_999, 2_002))
})

test.each([
  {
    what: 'an entry that was changed',
    sql: `UPDATE loadout.entry SET text = replace(text, 'notes', 'votes') WHERE seq = 2`,
    good: 1,
  },
  { what: 'an entry that is gone', sql: 'DELETE FROM loadout.entry WHERE seq = 3', good: 2 },
  { what: 'the last entry gone', sql: 'DELETE FROM loadout.entry WHERE seq = 4', good: 3 },
  { what: 'a row that was changed', sql: 'UPDATE loadout.session SET version = 3', good: 4 },
])('$what is reported with the last good entry', async ({ sql, good }) => {
  const log = await open()
  await log.append('s1', 0, someEntries(0, 5))
  await log.append('s2', 0, someEntries(0, 5))
  await admin.query(
    `${sql} ${sql.includes('WHERE') ? 'AND' : 'WHERE'} ${
      sql.includes('session SET') ? 'id' : 'session'
    } = (SELECT id FROM loadout.session WHERE name = '"s1"')`,
  )
  const damaged = { code: 'LOG_DAMAGED', facts: { session: 's1', lastGoodSeq: good } }
  await expect(log.read('s1')).rejects.toMatchObject(damaged)
  expect(await log.read('s2')).toEqual(someEntries(0, 5))
})

test('a definition that was changed is reported', async () => {
  const log = await open()
  await log.definitions.put(textHash('a'), { name: 'search' })
  await log.append('s1', 0, someEntries(0, 1))
  await admin.query(`UPDATE loadout.definition SET text = '{}'`)
  await expect(storedDefinition(log, textHash('a'))).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
})

test('an append whose answer is lost is taken once', async () => {
  const log = await open()
  await log.append('s1', 0, someEntries(0, 1))
  for (let version = 1; version < 6; version += 1) {
    proxy.cutAfterNextRequest()
    await log.append('s1', version, someEntries(version, version + 1))
  }
  proxy.cutAfterNextRequest()
  await log.append('s2', 0, someEntries(0, 2))
  expect(proxy.cuts).toBe(6)
  expect(await log.read('s1')).toEqual(someEntries(0, 6))
  expect(await log.read('s2')).toEqual(someEntries(0, 2))
})

test('an append whose answer is lost does not take the like of another for its own', async () => {
  const [log, other] = [await open(), await open(server.url)]
  await log.append('s1', 0, someEntries(0, 1))
  proxy.cutBeforeNextRequest(() => other.append('s1', 1, someEntries(1, 2)))
  await expect(log.append('s1', 1, someEntries(1, 2))).rejects.toMatchObject({
    code: 'LOG_CONFLICT',
    facts: { expected: 1, found: 2 },
  })
})

test('a server that is away for a moment is waited for', async () => {
  const log = await open()
  await log.append('s1', 0, someEntries(0, 1))
  await server.kill()
  const append = log.append('s1', 1, someEntries(1, 2))
  await server.start()
  await append
  expect(await log.read('s1')).toEqual(someEntries(0, 2))
})

test('a server that stays away is reported, and if it may have taken an append', async () => {
  const log = await openFor(50)
  await log.append('s1', 0, someEntries(0, 1))
  proxy.refuse()
  const away = { code: 'LOG_UNREACHABLE', facts: { sent: false } }
  await expect(log.read('s1')).rejects.toMatchObject({ code: 'LOG_UNREACHABLE' })
  await expect(log.append('s1', 1, someEntries(1, 2))).rejects.toMatchObject(away)
  await expect(openFor(0)).rejects.toMatchObject(away)
  proxy.heal()
  proxy.cutAfterNextRequest({ thenRefuse: true })
  await expect(log.append('s1', 1, someEntries(1, 2))).rejects.toMatchObject({
    code: 'LOG_UNREACHABLE',
    facts: { sent: true },
  })
  proxy.heal()
  expect(await log.read('s1')).toEqual(someEntries(0, 2))
})

test('an append that the server does not get done in time fails, and leaves nothing', async () => {
  const patient = await open(server.url)
  await patient.append('s1', 0, someEntries(0, 1))
  const pool = new pg.Pool({ connectionString: server.url, statement_timeout: 1_000 })
  onTestFinished(() => pool.end())
  const log = await open(pool)
  const holder = await admin.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM loadout.session FOR UPDATE')
  await expect(log.append('s1', 1, someEntries(1, 2))).rejects.toMatchObject({
    code: 'LOG_WRITE_FAILED',
    facts: { reason: '57014' },
  })
  await holder.query('COMMIT')
  holder.release()
  expect(await log.read('s1')).toEqual(someEntries(0, 1))
  await log.append('s1', 1, someEntries(1, 2))
})

test('who follows comes back when the connection is lost, and hears what was missed', async () => {
  const log = await open()
  const other = await open(server.url)
  let told = Promise.withResolvers<void>()
  await log.follow('s1', () => told.resolve())
  proxy.refuse()
  await other.append('s1', 0, someEntries(0, 1))
  proxy.heal()
  await told.promise
  expect(await log.read('s1')).toEqual(someEntries(0, 1))
  told = Promise.withResolvers()
  await other.append('s1', 1, someEntries(1, 2))
  await told.promise
  expect(await log.read('s1')).toEqual(someEntries(0, 2))
})

test('who begins to follow while the connection is lost follows on another one', async () => {
  const [log, other] = [await open(), await open(server.url)]
  const holder = await admin.connect()
  const lock = [channelOf('loadout').lock, lockBucket(sessionKey('s1'))]
  await holder.query('SELECT pg_advisory_lock($1, $2)', lock)
  const told = Promise.withResolvers<void>()
  const following = log.follow('s1', () => told.resolve())
  const waiting = `SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted AND mode = 'ShareLock'`
  while ((await admin.query(waiting)).rowCount === 0);
  await holder.query('SELECT pg_advisory_unlock($1, $2)', lock)
  holder.release()
  await following
  await other.append('s1', 0, someEntries(0, 1))
  await told.promise
  expect(await log.read('s1')).toHaveLength(1)
})

test('followers are notified of missed changes, whichever call replaces the lost connection', async () => {
  const [log, other] = [await openFor(0), await open(server.url)]
  const told = Promise.withResolvers<void>()
  await log.follow('s1', () => told.resolve())
  proxy.refuse()
  await other.append('s1', 0, someEntries(0, 1))
  const another = () => log.follow('s2', () => undefined)
  for (let attempt = 0; attempt < 20; attempt += 1)
    await expect(another()).rejects.toThrow('cannot be reached')
  proxy.heal()
  await another()
  await told.promise
  expect(await log.read('s1')).toHaveLength(1)
})

test('appends notify only where somebody follows, from the moment on that they do', async () => {
  const [log, other] = [await open(), await open(server.url)]
  const heard: (string | undefined)[] = []
  const ear = new pg.Client(server.url)
  await ear.connect()
  ear.on('notification', ({ payload }) => void heard.push(payload))
  await ear.query(`LISTEN "${channelOf('loadout').name}"`)
  await other.follow('s2', () => undefined)
  expect(lockBucket(sessionKey('s1'))).not.toBe(lockBucket(sessionKey('s2')))
  await log.append('s1', 0, someEntries(0, 1))
  const stop = await other.follow('s1', () => undefined)
  await log.append('s1', 1, someEntries(1, 2))
  await stop()
  await log.append('s1', 2, someEntries(2, 3))
  await other.follow('s1', () => undefined)
  await log.delete('s1')
  await ear.query('SELECT 1')
  await ear.end()
  expect(heard).toEqual([sessionKey('s1'), sessionKey('s1')])
})

test('who begins to follow during an append waits for it, and does not miss it', async () => {
  const [log, other] = [await open(), await open(server.url)]
  await log.append('s1', 0, someEntries(0, 1))
  const holder = await admin.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM loadout.session FOR UPDATE')
  const append = log.append('s1', 1, someEntries(1, 2))
  const following = other.follow('s1', () => undefined).then(() => other.read('s1'))
  await holder.query('COMMIT')
  holder.release()
  await append
  const seen = await following
  expect([1, 2]).toContain(seen.length)
  await log.append('s1', 2, someEntries(2, 3))
  expect(await other.read('s1')).toHaveLength(3)
})

test('a server that ends a connection while it is handed out ends no process', async () => {
  proxy.endNextConnection()
  const { cuts } = proxy
  const log = await open()
  expect(proxy.cuts).toBe(cuts + 1)
  await log.append('s1', 0, someEntries(0, 1))
  expect(await log.read('s1')).toHaveLength(1)
})

test.each([
  { what: 'a trigger', sql: 'CREATE TRIGGER no BEFORE UPDATE ON loadout.session' },
  { what: 'a format that was set by hand', sql: 'UPDATE loadout.loadout_log SET format = 0' },
])('an append that $what keeps from being written fails', async ({ sql }) => {
  const log = await open(server.url)
  await log.append('s1', 0, someEntries(0, 1))
  await admin.query(`CREATE FUNCTION loadout.no() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RETURN NULL; END'`)
  await admin.query(
    sql.startsWith('CREATE') ? `${sql} FOR EACH ROW EXECUTE FUNCTION loadout.no()` : sql,
  )
  await expect(log.append('s1', 1, someEntries(1, 2))).rejects.toMatchObject({
    code: 'LOG_WRITE_FAILED',
    facts: { reason: 'NOT_MOVED', version: 1 },
  })
})

test('a first append that something keeps from being written fails', async () => {
  const log = await open(server.url)
  await admin.query(`CREATE FUNCTION loadout.no() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RETURN NULL; END'`)
  await admin.query(
    'CREATE TRIGGER no BEFORE INSERT ON loadout.session FOR EACH ROW EXECUTE FUNCTION loadout.no()',
  )
  await expect(log.append('s1', 0, someEntries(0, 1))).rejects.toMatchObject({
    code: 'LOG_WRITE_FAILED',
    facts: { reason: 'NOT_MOVED', version: 0 },
  })
})

test('a log that is closed at any moment of a follow ends its connections', async () => {
  for (let moment = 0; moment < 40; moment += 1) {
    const log = await open()
    const following = log.follow('s1', () => undefined).catch((error: unknown) => error)
    for (let turn = 0; turn < moment; turn += 1) await nextTurn()
    await log.close()
    const ended = await following
    if (ended instanceof Error) expect(ended).toMatchObject({ code: 'LOG_CLOSED' })
  }
  // The server takes note a moment later.
  const held = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'`
  await expect.poll(async () => (await admin.query(held)).rows).toEqual([])
})

test('a pool of the host may give other values for numbers, and serve many logs', async () => {
  const types: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => ({ text }) }
  const pool = new pg.Pool({ connectionString: server.url, types })
  const warned: Error[] = []
  const warn = (warning: Error) => void warned.push(warning)
  process.on('warning', warn)
  const logs = []
  for (let count = 0; count < 12; count += 1) logs.push(await open(pool))
  await logs[0]?.append('s1', 0, someEntries(0, 2))
  expect(await logs[11]?.read('s1')).toEqual(someEntries(0, 2))
  expect(await logs[11]?.list()).toMatchObject([{ session: 's1', version: 2, openedAt: 1_000 }])
  for (const log of logs) await log.close()
  await pool.end()
  await new Promise(setImmediate)
  process.off('warning', warn)
  expect(warned).toEqual([])
  expect(pool.listenerCount('error')).toBe(0)
})

test('a snapshot of a session that was started again, and is shorter, is not kept', async () => {
  const log = await open(server.url)
  await log.append('s1', 0, someEntries(0, 2))
  await log.snapshots.put('s1', { seq: 2, format: '1', text: 'of another' })
  expect(await log.snapshots.latest('s1', '1')).toBeUndefined()
  await log.snapshots.put('s1', { seq: 1, format: '1', text: 'its own' })
  expect(await log.snapshots.latest('s1', '1')).toMatchObject({ seq: 1, text: 'its own' })
})

test('a pool of the host is used and stays open', async () => {
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  const log = await open(pool)
  await Promise.all(
    Array.from({ length: 5 }, (_, index) => log.append(`s${index}`, 0, someEntries(0, 1))),
  )
  await log.close()
  await expect(log.read('s1')).rejects.toMatchObject({ code: 'LOG_CLOSED' })
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})

test.each([true, false])(
  'two logs share the connection of a pool (prepare: %s)',
  async (prepare) => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 })
    const [one, two] = [
      await open(pool, { prepare }),
      await open(pool, { prepare, schema: 'loadout two' }),
    ]
    await one.append('s1', 0, someEntries(0, 1, 'one'))
    await two.append('s1', 0, someEntries(0, 1, 'two'))
    expect(await one.read('s1')).toEqual(someEntries(0, 1, 'one'))
    expect(await two.read('s1')).toEqual(someEntries(0, 1, 'two'))
    const { rows } = await pool.query(
      'SELECT count(*)::integer AS prepared FROM pg_prepared_statements',
    )
    expect(rows).toEqual([{ prepared: prepare ? expect.any(Number) : 0 }])
    expect(Number(rows[0]?.prepared) > 0).toBe(prepare)
    await one.close()
    await two.close()
    await pool.end()
    await admin.query('DROP SCHEMA "loadout two" CASCADE')
  },
)

test.each([
  { durability: 'full' as const, given: 'off', then: 'on' },
  { durability: 'full' as const, given: 'remote_apply', then: 'remote_apply' },
  { durability: 'os' as const, given: 'on', then: 'off' },
])(
  'with synchronous_commit $given, $durability commits with $then, and changes no other transaction',
  async ({ durability, given, then }) => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 })
    const log = await open(pool, { durability })
    await pool.query(`SET synchronous_commit = ${given}`)
    await pool.query(`CREATE FUNCTION loadout.note() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO loadout.noted VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$`)
    await pool.query('CREATE TABLE loadout.noted (setting text)')
    await pool.query(`CREATE CONSTRAINT TRIGGER note AFTER INSERT ON loadout.entry
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION loadout.note()`)
    await log.append('s1', 0, someEntries(0, 1))
    expect((await pool.query('SELECT * FROM loadout.noted')).rows).toEqual([{ setting: then }])
    expect((await pool.query('SHOW synchronous_commit')).rows).toEqual([
      { synchronous_commit: given },
    ])
    await log.close()
    await pool.end()
  },
)

test.each([
  { what: 'a wrong password', change: { password: 'secret-of-mine' }, reason: '28P01' },
  { what: 'an unknown database', change: { pathname: '/nowhere' }, reason: '3D000' },
])('$what is reported without the password', async ({ change, reason }) => {
  const address: URL = Object.assign(new URL(server.url), change)
  const error = await open(address.href).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'LOG_WRITE_FAILED', facts: { reason } })
  expect(JSON.stringify(error) + String(error)).not.toContain('secret-of-mine')
})

test('what is no address is not repeated', async () => {
  const error = await open('postgres://me:secret-of-mine@[').catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'LOG_UNREADABLE' })
  expect(JSON.stringify(error) + String(error)).not.toContain('secret-of-mine')
})
