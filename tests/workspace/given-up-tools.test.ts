import { createCatalog, createMemoryLog, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aTool } from './a-workspace.ts'

async function session(...tools: readonly string[]) {
  const log = createMemoryLog()
  const open = async (names: readonly string[]) => {
    const catalog = await createCatalog({ tools: names.map((name) => aTool(name)) })
    return VirtualWorkspace.open({ catalog, log, session: 's1', metaTools: [] })
  }
  return { open, first: await open(tools) }
}

const names = (workspace: VirtualWorkspace) => workspace.tools().map(({ name }) => name)

test('a tool that was unregistered stays away when the session is resumed', async () => {
  const { open, first } = await session('clock', 'refund')
  await first.unregisterTool('refund')
  expect(names(await open(['clock', 'refund']))).toEqual(['clock'])
  expect(names(await open(['clock', 'refund', 'fetch']))).toEqual(['clock', 'fetch'])
})

test('a tool that was registered again after that comes back with the session', async () => {
  const { open, first } = await session('clock', 'refund')
  await first.unregisterTool('refund')
  await first.registerTool(aTool('refund'))
  expect(names(await open(['clock', 'refund']))).toEqual(['clock', 'refund'])
})
