import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  migrateDatabase,
  SQLITE_MIGRATIONS,
} from '../../../../src/connections/logs/sqlite/sqlite-migrations.ts'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { SESSION_PAGE } from '../../../../src/connections/logs/sqlite/session-tables.ts'
import {
  readSessionRow,
  sessionColumns,
} from '../../../../src/connections/logs/rows/session-row.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'
import { storedDefinition } from '../../../../src/connections/logs/contract/event-log-case.ts'

const CHILD = fileURLToPath(new URL('./append-in-child.ts', import.meta.url))

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-sqlite-'))
  file = join(folder, 'sessions.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('opening', () => {
  test('a new file, and the files next to it, are for the user alone from their first byte', async () => {
    const before = process.umask(0o022)
    try {
      const log = await openSqliteLog(file)
      await log.append('a', 0, someEntries(0, 3))
      for (const suffix of ['', '-wal', '-shm']) {
        expect({ suffix, mode: statSync(`${file}${suffix}`).mode & 0o777 }).toEqual({
          suffix,
          mode: 0o600,
        })
      }
      await log.close()
    } finally {
      process.umask(before)
    }
  })

  test.each([
    { what: 'a folder', make: () => mkdirSync(file), code: 'LOG_UNREADABLE' },
    {
      what: 'a pipe',
      make: () => void execFileSync('mkfifo', [file]),
      code: 'LOG_UNREADABLE',
    },
    {
      what: 'text',
      make: () => writeFileSync(file, 'one two three four '.repeat(400)),
      code: 'LOG_FORMAT',
    },
    {
      what: 'the database of another program',
      make: () => {
        const database = new DatabaseSync(file)
        database.exec('CREATE TABLE mine (a TEXT)')
        database.close()
      },
      code: 'LOG_FORMAT',
    },
  ])('$what is refused and not changed', async ({ make, code }) => {
    make()
    const content = () => (statSync(file).isFile() ? readFileSync(file) : null)
    const before = content()
    await expect(openSqliteLog(file)).rejects.toMatchObject({ code, facts: { file } })
    expect(content()).toEqual(before)
    expect(readdirSync(folder)).toEqual(['sessions.sqlite'])
  })

  test('needs a folder that is there', async () => {
    const opening = openSqliteLog(join(folder, 'none', 'sessions.sqlite'))
    await expect(opening).rejects.toMatchObject({
      code: 'LOG_UNREADABLE',
      facts: { reason: 'SQLITE_CANTOPEN' },
    })
  })

  test('at once by many gives one set of tables', async () => {
    const logs = await Promise.all(Array.from({ length: 8 }, () => openSqliteLog(file)))
    await Promise.all(logs.map((log, index) => log.append(`s${index}`, 0, someEntries(0, 1))))
    expect(await logs[0]?.list()).toHaveLength(8)
    for (const log of logs) await log.close()
  })

  test.each([
    ...[1, 2, 3, 4, 5, 6, 7].map((statement) => ({ statement, readOnly: false })),
    ...[1, 2, 3].map((statement) => ({ statement, readOnly: true })),
  ])(
    'while another process creates the tables, before statement $statement, does not refuse the file (readOnly: $readOnly)',
    async ({ statement, readOnly }) => {
      const creator = new DatabaseSync(file)
      creator.exec('PRAGMA journal_mode = WAL')
      // The statements look at the format, set the write-ahead log, and look at the format again.
      const { prepare } = DatabaseSync.prototype
      let statements = 0
      const spy = vi.spyOn(DatabaseSync.prototype, 'prepare')
      spy.mockImplementation(function (this: DatabaseSync, sql) {
        statements += 1
        if (statements === statement) {
          spy.mockRestore()
          migrateDatabase(creator, file, SQLITE_MIGRATIONS)
        }
        return Reflect.apply(prepare, this, [sql])
      })
      await using log = await openSqliteLog(file, { readOnly })
      expect(statements).toBe(statement)
      expect(await log.list()).toEqual([])
      expect(creator.prepare('PRAGMA user_version').get()).toEqual({
        user_version: SQLITE_MIGRATIONS.length,
      })
      creator.close()
    },
  )

  test.each([0, 1])(
    'read-only before it has all tables (format %i), shows and follows what comes later',
    async (format) => {
      const early = new DatabaseSync(file)
      early.exec('PRAGMA journal_mode = WAL')
      if (format > 0) migrateDatabase(early, file, SQLITE_MIGRATIONS.slice(0, format))
      early.close()
      await using looking = await openSqliteLog(file, { readOnly: true, followMs: 5 })
      expect(await looking.list()).toEqual([])
      const changed = new Promise<void>((resolve) => {
        void looking.follow('s1', resolve)
      })
      await using log = await openSqliteLog(file)
      await log.append('s1', 0, someEntries(0, 2))
      await log.snapshots?.put('s1', { seq: 1, format: 'f', text: 'kept' })
      await changed
      expect(await looking.read('s1')).toHaveLength(2)
      expect(await looking.snapshots?.latest('s1', 'f')).toMatchObject({ text: 'kept' })
      await expect(looking.append('s1', 2, someEntries(2, 1))).rejects.toMatchObject({
        code: 'LOG_WRITE_FAILED',
      })
    },
  )

  test('waits for a writer, then says that it is locked', async () => {
    await (await openSqliteLog(file)).close()
    const writer = new DatabaseSync(file)
    writer.exec('BEGIN EXCLUSIVE')
    await using log = await openSqliteLog(file, { lockWaitMs: 30 })
    const append = log.append('s1', 0, someEntries(0, 1))
    await expect(append).rejects.toMatchObject({ code: 'LOG_LOCKED', facts: { file, waitMs: 30 } })
    writer.exec('ROLLBACK')
    writer.close()
    await log.append('s1', 0, someEntries(0, 1))
    expect(await log.read('s1')).toEqual(someEntries(0, 1))
  })

  test('says nothing on stderr, in any Node', () => {
    const load = new URL(
      '../../../../src/connections/logs/sqlite/open-database.ts',
      import.meta.url,
    ).href
    // What Node 22 does at this point, in a Node that does not.
    const script = `
      const { getBuiltinModule } = process
      process.getBuiltinModule = (name) => {
        process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning')
        return getBuiltinModule(name)
      }
      const { openDatabase } = await import(${JSON.stringify(load)})
      await openDatabase(${JSON.stringify(file)}, { durability: 'os', lockWaitMs: 5000, maxBytes: Infinity })
      process.emitWarning('this one is heard')`
    const output = execFileSync(
      'bash',
      ['-c', '"$0" --input-type=module --eval "$1" 2>&1', process.execPath, script],
      { encoding: 'utf8' },
    )
    expect(output).not.toContain('SQLite')
    expect(output).toContain('this one is heard')
  })
})

describe('the format', () => {
  test('that is newer than this version is named', async () => {
    await (await openSqliteLog(file)).close()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 99')
    database.close()
    await expect(openSqliteLog(file)).rejects.toMatchObject({
      code: 'LOG_FORMAT',
      facts: { expected: SQLITE_MIGRATIONS.length, found: 99 },
    })
  })

  test('of a session that is newer than this version is named, too', async () => {
    await using log = await openSqliteLog(file)
    await log.append('s1', 0, someEntries(0, 1))
    const database = new DatabaseSync(file)
    const columns = database.prepare('SELECT * FROM session').get() ?? {}
    const row = readSessionRow(columns)
    if (row === null) throw new Error('no row was read')
    const newer = sessionColumns({ ...row, format: row.format + 1 })
    database.prepare('REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?)').run(...newer)
    database.close()
    for (const use of [log.append('s1', 1, someEntries(1, 2)), log.read('s1')]) {
      await expect(use).rejects.toMatchObject({
        code: 'LOG_FORMAT',
        facts: { session: 's1', expected: row.format, found: row.format + 1 },
      })
    }
  })

  test('that a newer version brings in while the log is open stops it', async () => {
    await using log = await openSqliteLog(file)
    await log.append('s1', 0, someEntries(0, 1))
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    for (const use of [log.append('s1', 1, someEntries(1, 2)), log.read('s1'), log.list()]) {
      await expect(use).rejects.toMatchObject({ code: 'LOG_FORMAT' })
    }
  })

  test('of a file that is only read is not changed', async () => {
    const log = await openSqliteLog(file)
    await log.append('s1', 0, someEntries(0, 3))
    await log.close()
    const database = new DatabaseSync(file)
    database.exec('DROP TABLE snapshot; DROP INDEX session_by_change; PRAGMA user_version = 1')
    database.close()
    const bytes = readFileSync(file)

    const looked = await openSqliteLog(file, { readOnly: true })
    expect(await looked.read('s1')).toEqual(someEntries(0, 3))
    expect(await looked.snapshots?.latest('s1', '1')).toBeUndefined()
    const onlyRead = { code: 'LOG_WRITE_FAILED', facts: { file, reason: 'readOnly' } }
    for (const change of [
      () => looked.append('s1', 3, someEntries(3, 4)),
      () => looked.delete('s1'),
      () => looked.snapshots?.put('s1', { seq: 2, format: '1', text: '{}' }),
    ]) {
      await expect(change()).rejects.toMatchObject(onlyRead)
    }
    await looked.close()
    expect(readFileSync(file).equals(bytes)).toBe(true)

    const raised = await openSqliteLog(file)
    expect(await raised.read('s1')).toEqual(someEntries(0, 3))
    await raised.close()
    expect(readFileSync(file).equals(bytes)).toBe(false)
  })

  test('of earlier files gets the index that a page of sessions needs', async () => {
    const early = new DatabaseSync(file)
    early.exec('PRAGMA journal_mode = WAL')
    migrateDatabase(early, file, SQLITE_MIGRATIONS.slice(0, 2))
    early.close()
    await using log = await openSqliteLog(file)
    for (const session of ['a', 'b']) await log.append(session, 0, someEntries(0, 1))
    expect((await log.list({ limit: 1 })).map(({ session }) => session)).toEqual(['a'])
    const database = new DatabaseSync(file, { readOnly: true })
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${SESSION_PAGE}`).all(1e9, '""', 1)
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH session USING INDEX session_by_change (changed_at<?)',
    ])
    database.close()
  })

  test('is raised step by step, and not at all when a step fails', async () => {
    const log = await openSqliteLog(file)
    await log.append('s1', 0, someEntries(0, 3))
    await log.close()
    const database = new DatabaseSync(file)
    const columns = () => database.prepare('PRAGMA table_info(session)').all().length
    const before = columns()
    const good = 'ALTER TABLE session ADD COLUMN note TEXT'
    expect(() =>
      migrateDatabase(database, file, [
        ...SQLITE_MIGRATIONS,
        good,
        'ALTER TABLE none ADD COLUMN a',
      ]),
    ).toThrow(/no such table/)
    expect(columns()).toBe(before)
    migrateDatabase(database, file, [...SQLITE_MIGRATIONS, good])
    migrateDatabase(database, file, [...SQLITE_MIGRATIONS, good])
    expect(columns()).toBe(before + 1)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({
      user_version: SQLITE_MIGRATIONS.length + 1,
    })
    expect(database.prepare('SELECT count(*) AS count FROM entry').get()).toEqual({ count: 3 })
    database.close()
  })
})

describe('a full disk', () => {
  test('leaves each session before or after the append it stopped, wherever that is', async () => {
    const stoppedAt = new Set<number>()
    for (let kilobytes = 20; kilobytes <= 120; kilobytes += 8) {
      const name = `${file}.${kilobytes}`
      await using log = await openSqliteLog(name, {
        durability: 'os',
        maxBytes: kilobytes * 1024,
      })
      let version = 0
      const definition = { text: 'd'.repeat(2_000) }
      const failure = await (async () => {
        for (; version < 500; version += 2) {
          await log.definitions.put(textHash(`${version}`), definition)
          await log.append('s1', version, someEntries(version, version + 2, 'x'.repeat(400)))
        }
        return null
      })().catch((error: unknown) => error)
      expect(failure).toMatchObject({
        code: 'LOG_WRITE_FAILED',
        facts: { file: name, reason: 'SQLITE_FULL' },
      })
      stoppedAt.add(version)
      const kept = someEntries(0, version, 'x'.repeat(400))
      expect(await log.read('s1')).toEqual(kept)
      await using roomy = await openSqliteLog(name, { durability: 'os' })
      expect(await roomy.read('s1')).toEqual(kept)
      expect(await storedDefinition(roomy, textHash(`${version}`))).toBeUndefined()
      await roomy.append('s1', version, someEntries(version, version + 1))
      expect(await log.read('s1', version)).toEqual(someEntries(version, version + 1))
    }
    expect(stoppedAt.size).toBeGreaterThan(5)
  })

  test('can be made room on by deleting a session', async () => {
    await using log = await openSqliteLog(file, { durability: 'os', maxBytes: 80 * 1024 })
    await log.append('s1', 0, someEntries(0, 20, 'x'.repeat(1_000)))
    const large = someEntries(0, 30, 'y'.repeat(1_000))
    await expect(log.append('s2', 0, large)).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED' })
    await log.delete('s1')
    await log.append('s2', 0, large)
    expect(await log.list()).toMatchObject([{ session: 's2', version: 30 }])
  })

  test.runIf(process.platform === 'linux')(
    'under the write-ahead log stops an append whole',
    async () => {
      const run = (characters: number): string =>
        execFileSync(
          'bash',
          [
            '-c',
            'trap "" XFSZ; ulimit -f 64; exec "$0" "$@"',
            process.execPath,
            CHILD,
            '--file',
            file,
            '--characters',
            `${characters}`,
          ],
          { encoding: 'utf8' },
        )
      expect(run(10)).toBe('0\n')
      expect(run(200_000)).toMatch(/^LOG_WRITE_FAILED SQLITE_(FULL|IOERR)\n$/)
      await using log = await openSqliteLog(file)
      expect(await log.read('s1')).toEqual(someEntries(0, 1, 'x'.repeat(10)))
    },
  )
})

describe('a file that cannot be written', () => {
  test.runIf(process.platform !== 'win32')(
    'can be read, and an append says why it failed',
    async () => {
      await using keepsTheLogBesideIt = await openSqliteLog(file)
      await keepsTheLogBesideIt.append('s1', 0, someEntries(0, 1))
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444)
      chmodSync(folder, 0o555)
      // Nobody; permissions do not hold for root.
      const user = process.getuid?.() === 0 ? ['--user', '65534'] : []
      const output = execFileSync(process.execPath, [CHILD, '--file', file, ...user], {
        encoding: 'utf8',
      })
      expect(output).toBe('LOG_WRITE_FAILED SQLITE_READONLY\n')
      chmodSync(folder, 0o755)
    },
  )

  test('under its name any more takes no append that would be lost', async () => {
    await using log = await openSqliteLog(file)
    await log.append('s1', 0, someEntries(0, 1))
    renameSync(file, `${file}.moved`)
    const append = () => log.append('s1', 1, someEntries(1, 2))
    await expect(append()).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED' })
    writeFileSync(file, '')
    await expect(append()).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED' })
    rmSync(file)
    symlinkSync(file, file)
    await expect(append()).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED', facts: { file } })
    rmSync(file)
    renameSync(`${file}.moved`, file)
    await append()
    expect(await log.read('s1')).toEqual(someEntries(0, 2))
  })

  test('whose write-ahead log lost its name takes no append that would be lost', async () => {
    const log = await openSqliteLog(file)
    await log.append('s1', 0, someEntries(0, 1))
    rmSync(`${file}-wal`)
    const append = () => log.append('s1', 1, someEntries(1, 2))
    await expect(append()).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED', facts: { file } })
    writeFileSync(`${file}-wal`, '')
    await expect(append()).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED', facts: { file } })
    rmSync(`${file}-wal`)
    await log.close()
    await using again = await openSqliteLog(file)
    expect(await again.read('s1')).toEqual(someEntries(0, 1))
    await again.append('s1', 1, someEntries(1, 2))
  })

  test.runIf(process.platform !== 'win32')('may be named by a link', async () => {
    const link = join(folder, 'link.sqlite')
    symlinkSync(file, link)
    for (const version of [0, 2]) {
      await using log = await openSqliteLog(link)
      await log.append('s1', version, someEntries(version, version + 1))
      await log.append('s1', version + 1, someEntries(version + 1, version + 2))
    }
    await using log = await openSqliteLog(file)
    expect(await log.read('s1')).toEqual(someEntries(0, 4))
  })
})

test('an append reports its own outcome, whatever its followers do', async () => {
  await using log = await openSqliteLog(file)
  const thrown = Promise.withResolvers<unknown>()
  const others = process.rawListeners('uncaughtException')
  process.removeAllListeners('uncaughtException').once('uncaughtException', thrown.resolve)
  await log.follow('s1', () => {
    throw new Error('a host that does not keep to it')
  })
  await log.append('s1', 0, someEntries(0, 1))
  expect(await thrown.promise).toMatchObject({ message: 'a host that does not keep to it' })
  for (const other of others) process.on('uncaughtException', other as () => void)
  expect(await log.read('s1')).toHaveLength(1)
})

describe('closing', () => {
  test('waits for earlier operations, may be repeated, and ends the log', async () => {
    const log = await openSqliteLog(file)
    const append = log.append('s1', 0, someEntries(0, 1))
    await Promise.all([append, log.close(), log.close()])
    for (const use of [log.read('s1'), log.append('s1', 1, someEntries(1, 2)), log.list()]) {
      await expect(use).rejects.toMatchObject({ code: 'LOG_CLOSED' })
    }
    expect(readdirSync(folder)).toEqual(['sessions.sqlite'])
  })

  test('leaves nothing of a deleted session in the file', async () => {
    const log = await openSqliteLog(file)
    await log.append('s1', 0, someEntries(0, 9, 'a secret of mine'))
    await log.append('s2', 0, someEntries(0, 1))
    await log.delete('s1')
    await log.close()
    expect(readFileSync(file).includes('a secret of mine')).toBe(false)
  })
})

test('an entry of a later version stops the reading of its session', async () => {
  await using log = await openSqliteLog(file)
  const [entry] = someEntries(0, 1)
  const later = { ...entry, event: { type: 'moon.landed' } } as never
  await log.append('s1', 0, [later])
  const error = await log.read('s1').catch((error: unknown) => error)
  expect(WorkspaceError.is(error) && error.code).toBe('LOG_UNKNOWN_EVENT')
})
