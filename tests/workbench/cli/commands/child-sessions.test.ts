import { createCatalog, defineAgent, defineTool, VirtualWorkspace } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

/** A log with a parent, a child and a grandchild, whose question waits for an answer; and a session of its own. */
async function withTree() {
  const cwd = await temporaryFolder({})
  const file = join(cwd, 'run.sqlite')
  await using log = await openSqliteLog(file)
  const wipe = defineTool({
    name: 'wipe',
    description: 'Wipes.',
    risk: 'destructive',
    execute: () => 'wiped',
  })
  const catalog = await createCatalog({ agents: [defineAgent({ name: 'worker' })], tools: [wipe] })
  const options = { catalog, log, metaTools: [] }
  await (await VirtualWorkspace.open({ ...options, session: 'other' })).close()
  const parent = await VirtualWorkspace.open({ ...options, session: 'parent' })
  const child = await parent.sessions.child({ agent: 'worker', session: 'child' })
  const grandchild = await child.sessions.child({ session: 'grandchild' })
  const asked = new Promise((resolve) => {
    parent.subscribe((_, entries) => {
      if (entries.some(({ event }) => event.type === 'confirmation.asked')) resolve(null)
    })
  })
  await grandchild.callTool('wipe', {}, { caller: 'model' })
  await asked
  await parent.close()
  const run = (...argv: string[]) => runCommand(argv, { cwd, home: join(cwd, 'home') })
  return { file, run, catalog }
}

test('sessions list shows children below their parents, and show and replay name both', async () => {
  const { file, run } = await withTree()
  const list = JSON.parse((await run('sessions', 'list', file, '--json')).stdout)
  expect(
    Object.fromEntries(
      list.sessions.map(({ session, parent }: { session: string; parent: string | null }) => [
        session,
        parent,
      ]),
    ),
  ).toEqual({ parent: null, child: 'parent', grandchild: 'child', other: null })
  const { stdout } = await run('sessions', 'list', file)
  const names = stdout.split('\n').map((line) => /^(└─+ )?\S*/.exec(line)?.[0])
  const at = names.indexOf('parent')
  expect(names.slice(at, at + 3)).toEqual(['parent', '└─ child', '└── grandchild'])
  expect((await run('sessions', 'show', 'child', '--log', file)).stdout).toContain(
    'child of parent',
  )
  const replayed = await run('replay', '--log', file, '--session', 'parent')
  expect(replayed.stdout).toContain('child sessions: child (open)')
  expect(replayed.stdout).toContain('child session "child" opened for the agent "worker"')
  expect(replayed.stdout).toContain('confirmation asked by "child/grandchild" for a call of "wipe"')
})

test('why names the rule of the parent session, and the entry up to which its rules are known', async () => {
  const { file, run, catalog } = await withTree()
  await using log = await openSqliteLog(file)
  const options = { catalog, log, metaTools: [] }
  const parent = await VirtualWorkspace.open({ ...options, session: 'parent' })
  const child = await parent.sessions.child({ agent: 'worker', session: 'child' })
  const { seq } = await parent.setPermissions({ deny: ['wipe'] })
  await child.beginTurn()
  await parent.close()
  const { stdout } = await run('why', 'wipe', '--log', file, '--session', 'child')
  expect(stdout).toContain(
    `The rules of its parent session "parent" are those as of its entry ${seq}.`,
  )
  expect(stdout).toContain('The policy of its parent session denies "wipe".')
})

test('approve answers the question of a grandchild in the session of its parent', async () => {
  const { file, run, catalog } = await withTree()
  const { state } = JSON.parse(
    (await run('replay', '--log', file, '--session', 'parent', '--json')).stdout,
  )
  const [{ id }] = state.confirmations
  expect((await run('approve', id, '--log', file, '--session', 'parent')).code).toBe(0)
  await using log = await openSqliteLog(file)
  const options = { catalog, log, metaTools: [] }
  const parent = await VirtualWorkspace.open({ ...options, session: 'parent' })
  const child = await parent.sessions.child({ agent: 'worker', session: 'child' })
  const grandchild = await child.sessions.child({ session: 'grandchild' })
  expect(await grandchild.callTool('wipe', {}, { caller: 'model' })).toMatchObject({ ok: true })
  await parent.close()
})

test('sessions delete deletes the children of a session with it', async () => {
  const { file, run } = await withTree()
  const { stdout } = await run('sessions', 'delete', 'child', '--log', file, '--json')
  expect(JSON.parse(stdout).deleted.map(({ session }: { session: string }) => session)).toEqual([
    'grandchild',
    'child',
  ])
  const list = JSON.parse((await run('sessions', 'list', file, '--json')).stdout)
  expect(list.sessions.map(({ session }: { session: string }) => session).toSorted()).toEqual([
    'other',
    'parent',
  ])
})
