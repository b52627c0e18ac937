import {
  createCatalog,
  createMemoryLog,
  defineSkill,
  defineTool,
  type EventLog,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'

const byModel = (call: string) => ({ caller: 'model', call }) as const

/**
 * A session with two skills that have a tool `pay` each; that of `late` shadows that of `early`, if not said otherwise.
 */
async function withTwoOwners(
  log: EventLog,
  did: string[],
  {
    onConflict = 'shadow',
    ...options
  }: Partial<WorkspaceOptions> & {
    onConflict?: 'shadow' | 'namespace'
    shared?: boolean
  } = {},
): Promise<VirtualWorkspace> {
  const pay = (owner: string) =>
    defineTool({
      name: 'pay',
      description: `Pays by ${owner}.`,
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      execute: () => {
        did.push(owner)
        return owner
      },
    })
  const skillOf = (name: string) =>
    defineSkill({ name, description: `${name}.`, tools: [pay(name)], onConflict })
  const catalog = await createCatalog({ skills: [skillOf('early'), skillOf('late')] })
  return VirtualWorkspace.open({ catalog, log, session: 's', ...options })
}

const ONCE = { n: 1 }

test('a call of the tool of another owner is another call, with the same id, name and arguments', async () => {
  const log = createMemoryLog()
  const did: string[] = []
  const first = await withTwoOwners(log, did)
  await first.beginStep()
  await first.activateSkill('early')
  expect(await first.callTool('early/pay', ONCE, byModel('c'))).toMatchObject({ data: 'early' })
  await first.deactivateSkill('early')
  await first.activateSkill('late')
  for (const workspace of [first, await withTwoOwners(log, did)]) {
    for (const address of ['late/pay', 'skill:late/pay']) {
      expect(await workspace.callTool(address, ONCE, byModel('c'))).toMatchObject({ data: 'late' })
    }
    expect(await workspace.callTool('early/pay', ONCE, byModel('c'))).toMatchObject({
      data: 'early',
      meta: { recorded: true },
    })
  }
  expect(did).toEqual(['early', 'late'])
})

test('a tool that gave way to another has calls of its own, by its address and by its name', async () => {
  const did: string[] = []
  const workspace = await withTwoOwners(createMemoryLog(), did, { onConflict: 'namespace' })
  await workspace.beginStep()
  await workspace.activateSkill('early')
  await workspace.activateSkill('late')
  for (const address of ['early/pay', 'late/pay', 'late__pay', 'late/late__pay', 'pay']) {
    const owner = address === 'pay' || address === 'early/pay' ? 'early' : 'late'
    expect(await workspace.callTool(address, ONCE, byModel('c'))).toMatchObject({ data: owner })
  }
  expect(did).toEqual(['early', 'late'])
})

test('a call by a name is the same call when the name has gone to another owner since, or its owner is gone', async () => {
  const log = createMemoryLog()
  const did: string[] = []
  const workspace = await withTwoOwners(log, did)
  await workspace.beginStep()
  await workspace.activateSkill('early')
  await workspace.callTool('pay', ONCE, byModel('c'))
  await workspace.activateSkill('late')
  expect(await workspace.callTool('pay', ONCE, byModel('c'))).toMatchObject({
    data: 'early',
    meta: { recorded: true },
  })
  await workspace.deactivateSkill('late')
  await workspace.deactivateSkill('early')
  const later = await withTwoOwners(log, did)
  expect(await later.callTool('pay', ONCE, byModel('c'))).toMatchObject({ data: 'early' })
  expect(await later.callTool('early/pay', ONCE, byModel('c'))).toMatchObject({ data: 'early' })
  expect(did).toEqual(['early'])
})

test('no other principal gets the result of a call: a session has one', async () => {
  const log = createMemoryLog()
  const workspace = await withTwoOwners(log, [], { principal: { id: 'ann' } })
  await workspace.close()
  await expect(withTwoOwners(log, [], { principal: { id: 'bob' } })).rejects.toMatchObject({
    code: 'SESSION_MISMATCH',
  })
})

test('a call of one child is none of another child, nor of their parent', async () => {
  const did: string[] = []
  const parent = await withTwoOwners(createMemoryLog(), did)
  const children = [await parent.sessions.child(), await parent.sessions.child()]
  for (const session of [parent, ...children]) {
    await session.beginStep()
    await session.activateSkill('early')
    await session.callTool('pay', ONCE, byModel('c'))
    await session.callTool('pay', ONCE, byModel('c'))
  }
  expect(did).toEqual(['early', 'early', 'early'])
  await parent.close()
})
