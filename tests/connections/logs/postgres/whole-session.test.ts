import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type PostgresServer } from '../../../../scripts/start-postgres.ts'
import { exportLog } from '../../../../src/connections/logs/jsonl/export-lines.ts'
import { importLog } from '../../../../src/connections/logs/jsonl/import-session.ts'
import { openPostgresLog } from '../../../../src/connections/logs/postgres/open-postgres-log.ts'
import { createCatalog, VirtualWorkspace } from '../../../../src/entries/index.ts'
import { anOffice } from '../sqlite/an-office.ts'

const CHILD = fileURLToPath(new URL('./work-in-child.ts', import.meta.url))

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(() => server.stop())

test('what another process does is seen live, by one that has no definitions of its own', async () => {
  await using log = await openPostgresLog(server.url)
  await (await anOffice(log)).close()
  const follower = await VirtualWorkspace.open({
    catalog: await createCatalog({}),
    log,
    session: 'work',
    readOnly: true,
    follow: true,
  })
  const told: string[] = []
  const ended = new Promise<void>((resolve) => {
    follower.subscribe((_, entries) => {
      told.push(...entries.map(({ event }) => event.type))
      if (told.includes('call.ended')) resolve()
    })
  })
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, server.url])
  await ended
  const state: unknown = JSON.parse(stdout)
  expect(JSON.parse(JSON.stringify(follower.state))).toEqual(state)
  expect(told).toEqual(['source.opened', 'turn.begun', 'call.started', 'call.ended'])
  expect(follower.isToolAvailable('look_up')).toBe(true)
  await follower.close()

  const workspace = await anOffice(log)
  expect(JSON.parse(JSON.stringify(workspace.state))).toEqual(state)
  await workspace.close()
})

test('a session leaves as JSON Lines and comes into another schema the same', async () => {
  await using from = await openPostgresLog(server.url, { schema: 'from' })
  const workspace = await anOffice(from)
  await workspace.activateSkill('research')
  await workspace.close()
  const text = await exportLog(from, 'work')

  await using to = await openPostgresLog(server.url, { schema: 'to' })
  const { session, entries, definitions } = importLog(text)
  expect(definitions.size).toBeGreaterThan(0)
  for (const [hash, value] of definitions) await to.definitions.put(hash, value)
  await to.append(session ?? '', 0, entries)
  expect(await exportLog(to, 'work')).toBe(text)
})
