import { createCatalog, defineSkill, defineTool, type ToolContext, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'

interface Services {
  readonly user: string
}

type Seen = [place: string, user: string | undefined][]

/** A workspace whose handlers and hooks note whose services they get. */
async function openNoting(services?: Services) {
  const seen: Seen = []
  const note = (place: string, context: { readonly services: unknown }) => {
    seen.push([place, (context.services as Services | undefined)?.user])
  }
  const inner = defineTool({
    name: 'inner',
    description: 'Notes.',
    inputSchema: z.object({}),
    execute: (_, context: ToolContext<Services>) => note('inner', context),
  })
  const outer = defineTool({
    name: 'outer',
    description: 'Notes, and calls another tool.',
    inputSchema: z.object({}),
    execute: async (_, context: ToolContext<Services>) => {
      note('outer', context)
      await context.callTool('inner', {})
      await workspace.callTool('inner', {})
    },
  })
  const diary = defineSkill({
    name: 'diary',
    description: 'Keeps notes.',
    instructions: 'Write.',
    onActivate: (context) => note('onActivate', context),
    onDeactivate: (context) => note('onDeactivate', context),
  })
  const catalog = await createCatalog({ tools: [inner, outer], skills: [diary] })
  const workspace = await VirtualWorkspace.open<Services>({
    catalog,
    ...(services && { services }),
  })
  return { workspace, seen }
}

test('handlers and hooks get the services of the workspace', async () => {
  const { workspace, seen } = await openNoting({ user: 'w' })
  await workspace.callTool('outer', {})
  await workspace.activateSkill('diary')
  expect(seen).toEqual([
    ['outer', 'w'],
    ['inner', 'w'],
    ['inner', 'w'],
    ['onActivate', 'w'],
  ])
})

test('the services of a call hold for it, and for the calls and hooks within it', async () => {
  const { workspace, seen } = await openNoting({ user: 'w' })
  await workspace.callTool('outer', {}, { services: { user: 'c' } })
  await workspace.callTool(
    'loadSkill',
    { skillName: 'diary' },
    { caller: 'model', services: { user: 'd' } },
  )
  await workspace.callTool('inner', {})
  expect(seen).toEqual([
    ['outer', 'c'],
    ['inner', 'c'],
    ['inner', 'c'],
    ['onActivate', 'd'],
    ['inner', 'w'],
  ])
})

test('the services of a turn hold until the next turn', async () => {
  const { workspace, seen } = await openNoting({ user: 'w' })
  await workspace.activateSkill('diary', { lifetime: { turns: 1 } })
  await workspace.beginTurn({ services: { user: 't' } })
  await workspace.callTool('inner', {})
  await workspace.callTool('inner', {}, { services: { user: 'c' } })
  await workspace.beginTurn()
  await workspace.callTool('inner', {})
  expect(seen).toEqual([
    ['onActivate', 'w'],
    ['inner', 't'],
    ['inner', 'c'],
    ['onDeactivate', 'w'],
    ['inner', 'w'],
  ])
})

test('a call keeps the services that it began with', async () => {
  const { workspace, seen } = await openNoting()
  const { promise: isTurn, resolve: turn } = Promise.withResolvers<void>()
  const late = defineTool({
    name: 'late',
    description: 'Waits, then calls.',
    inputSchema: z.object({}),
    execute: async (_, context: ToolContext<Services>) => {
      await isTurn
      await context.callTool('inner', {})
    },
  })
  await workspace.registerTool(late)
  await workspace.beginTurn({ services: { user: '1' } })
  const running = workspace.callTool('late', {})
  await expect.poll(() => workspace.state.calls.length).toBe(1)
  await workspace.beginTurn({ services: { user: '2' } })
  turn()
  await running
  expect(seen).toEqual([['inner', '1']])
})

test('services are never in the log', async () => {
  const { workspace } = await openNoting()
  await workspace.beginTurn({ services: { user: 'canary-turn' } })
  await workspace.callTool('outer', {}, { services: { user: 'canary-call' } })
  const entries = await workspace.entries()
  expect(entries.length).toBeGreaterThan(4)
  expect(JSON.stringify(entries)).not.toContain('canary')
})
