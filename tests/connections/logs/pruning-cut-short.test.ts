import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../scripts/start-postgres.ts'
import { textHash } from '../../../src/kernel/content-hash.ts'
import { storedDefinition } from '../../../src/connections/logs/contract/event-log-case.ts'
import { someEntries } from '../../../src/connections/logs/contract/event-log-case.ts'
import { type DiskLogKind, openDiskLog } from './open-disk-log.ts'

const CHILD = fileURLToPath(new URL('./prune-in-child.ts', import.meta.url))

/** Between the entries of the old session and those of the new one. */
const CHANGED_BEFORE = 1_500

let folder = ''
let server: PostgresServer
let admin: pg.Pool

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadout-pruning-'))
  server = await startPostgres()
  admin = new pg.Pool({ connectionString: server.url })
  // The server may stop before a connection has ended.
  admin.on('error', () => {})
  admin.on('connect', (client) => client.on('error', () => {}))
})

afterAll(async () => {
  await admin.end()
  await server.stop()
  await rm(folder, { recursive: true })
})

/** Prunes in a process that ends after so many writes. Returns false when there were fewer. */
async function pruneUpTo(kind: DiskLogKind, place: string, writes: number): Promise<boolean> {
  const words = [CHILD, kind, place, `${CHANGED_BEFORE}`, `${writes}`]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(code ?? 0).toBe(0)
  return signal === 'SIGKILL'
}

const placeOf: Readonly<Record<DiskLogKind, (name: string) => Promise<string>>> = {
  sqlite: async (name) => join(folder, `${name}.sqlite`),
  postgres: async (name) => {
    await admin.query(`CREATE DATABASE ${name}`)
    const url = new URL(server.url)
    url.pathname = name
    return url.href
  },
}

test.each<{ kind: DiskLogKind; atLeast: number }>([
  { kind: 'sqlite', atLeast: 3 },
  { kind: 'postgres', atLeast: 3 },
])(
  'a pruning in $kind that ends after any of its writes is finished by the next one',
  async ({ kind, atLeast }) => {
    const [old, inner, kept] = ['old', 'inner', 'kept'].map((text) => textHash(text))
    let writes = 0
    for (let isCut = true; isCut;) {
      writes += 1
      const place = await placeOf[kind](`log_${writes}`)
      const before = await openDiskLog(kind, place)
      await before.definitions.put(textHash('old'), { name: 'private', file: inner ?? '' })
      await before.definitions.put(textHash('inner'), 'The word is xyzzy.')
      await before.append('old', 0, someEntries(0, 3, old))
      await before.definitions.put(textHash('kept'), { name: 'kept' })
      await before.append('new', 0, someEntries(0, 600, kept))
      await before.close()

      isCut = await pruneUpTo(kind, place, writes)
      const log = await openDiskLog(kind, place)
      await log.prune({ changedBefore: CHANGED_BEFORE })
      expect((await log.list()).map(({ session }) => session)).toEqual(['new'])
      expect(await storedDefinition(log, old)).toBeUndefined()
      expect(await storedDefinition(log, inner)).toBeUndefined()
      expect(await storedDefinition(log, kept)).toEqual({ name: 'kept' })
      expect(await log.prune({ changedBefore: CHANGED_BEFORE })).toEqual({
        sessions: [],
        definitions: 0,
        bytes: 0,
      })
      await log.close()
    }
    expect(writes).toBeGreaterThan(atLeast)
  },
)
