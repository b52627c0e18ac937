import fc from 'fast-check'
import {
  createCatalog,
  createMemoryLog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Catalog,
} from 'loadout'
import { expect, test } from 'vitest'
import type { Answer } from '../../../wires/server/answer.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { WIRE_DRIVERS } from './wire-drivers.ts'

const OWLS = 'Owls hunt when the barn door is ajar.'
const MICE = 'Mice nest below the third sack of barley.'
const CATS = 'Cats sleep on the warm side of the stove.'

/** `owls` requires `mice`, so a result of `loadSkill` has the text of the first alone. */
function animals(): Promise<Catalog> {
  const tool = defineTool({ name: 'look', description: 'Look around.', execute: () => 'A barn.' })
  const skill = (name: string, instructions: string, requires: readonly string[] = []) =>
    defineSkill({ name, description: `For ${name}.`, instructions, requires, tools: [tool] })
  return createCatalog({
    skills: [skill('owls', OWLS, ['mice']), skill('mice', MICE), skill('cats', CATS)],
  })
}

const load = (skillName: string): Answer => [{ name: 'loadSkill', input: { skillName } }]

/** The answers of the model: it loads two skills in two turns, and calls a tool in between. */
const SCRIPT: readonly Answer[] = [
  load('owls'),
  [{ name: 'look', input: {} }],
  'There is a barn.',
  load('cats'),
  [{ name: 'look', input: {} }],
  'There is a stove.',
]

const times = (text: string, part: string) => text.split(part).length - 1

test.each(WIRE_DRIVERS)(
  '$name: the text of a skill that the model loaded is once in each request',
  async (driver) => {
    let at = 0
    const answers = () => SCRIPT[at++] ?? 'Done.'
    const server = await openWireServer({ answers })
    const workspace = await VirtualWorkspace.open({ catalog: await animals(), ...driver.options })
    const conversation = driver.converse(server.url, {})
    for (const message of ['What hunts?', 'What sleeps?']) {
      await conversation.turn(workspace, message, new AbortController().signal)
    }
    const bodies = server.requests.map(({ body }) => JSON.stringify(body))
    expect(bodies).toHaveLength(SCRIPT.length)
    expect(bodies.map((body) => [OWLS, MICE, CATS].map((text) => times(body, text)))).toEqual([
      [0, 0, 0],
      [1, 1, 0],
      [1, 1, 0],
      [1, 1, 0],
      [1, 1, 1],
      [1, 1, 1],
    ])
    await workspace.close()
    await server.close()
  },
)

/** A loop as the page of the workspace has it: what it would send at each step, as one text. */
function ownLoop() {
  const messages: string[] = []
  let made = 0
  return {
    messages,
    async step(workspace: VirtualWorkspace): Promise<string> {
      const { instructions, conversation } = await workspace.beginStep()
      messages.push(...conversation.map(({ text }) => text))
      return [instructions, ...messages].join('\n')
    },
    async call(workspace: VirtualWorkspace, name: string, input: object): Promise<void> {
      made += 1
      const response = await workspace.callTool(name, input, { caller: 'model', call: `c${made}` })
      messages.push(JSON.stringify(response.ok ? response.data : response.error))
    },
  }
}

test('a loop of its own has the text of a skill that the model loaded once, also after a restart', async () => {
  const loop = ownLoop()
  const open = { catalog: await animals(), log: createMemoryLog(), session: 's' }
  const first = await VirtualWorkspace.open(open)
  await loop.step(first)
  await loop.call(first, 'loadSkill', { skillName: 'owls' })
  const counts = (text: string) => [OWLS, MICE, CATS].map((one) => times(text, one))
  expect(counts(await loop.step(first))).toEqual([1, 1, 0])
  await loop.call(first, 'look', {})
  await first.beginTurn()
  expect(counts(await loop.step(first))).toEqual([1, 1, 0])
  await first.activateSkill('cats')
  expect(counts(await loop.step(first))).toEqual([1, 1, 1])
  const second = await VirtualWorkspace.open(open)
  await second.beginTurn()
  expect(counts(await loop.step(second))).toEqual([1, 1, 1])
})

test('a loop of its own never gets an empty text: a skill that left is named', async () => {
  const loop = ownLoop()
  const workspace = await VirtualWorkspace.open({ catalog: await animals() })
  await loop.step(workspace)
  await loop.call(workspace, 'loadSkill', { skillName: 'cats' })
  await loop.step(workspace)
  await workspace.deactivateSkill('cats')
  await loop.step(workspace)
  expect(loop.messages.filter((text) => text.trim() === '')).toEqual([])
  expect(loop.messages.map((text) => text.trim())).toContain(
    'No longer applies: Loaded skill: cats.',
  )
})

test('a summary has the text of a skill that the model loaded, and the step after it has not', async () => {
  const loop = ownLoop()
  const workspace = await VirtualWorkspace.open({ catalog: await animals() })
  await loop.step(workspace)
  await loop.call(workspace, 'loadSkill', { skillName: 'cats' })
  await loop.step(workspace)
  const { text } = await workspace.compact()
  loop.messages.splice(0, Infinity, text)
  expect(times(await loop.step(workspace), CATS)).toBe(1)
})

test('a skill that the model loads through call_tool is once in the requests, too', async () => {
  const loop = ownLoop()
  const workspace = await VirtualWorkspace.open({
    catalog: await animals(),
    metaTools: ['loadSkill', 'call_tool'],
  })
  await loop.step(workspace)
  await loop.call(workspace, 'call_tool', { name: 'loadSkill', arguments: { skillName: 'cats' } })
  const text = await loop.step(workspace)
  expect(times(text, CATS)).toBe(1)
  expect(times(await loop.step(workspace), CATS)).toBe(1)
})

test('an answer of loadSkill that failed leaves the text to the next step', async () => {
  const loop = ownLoop()
  const workspace = await VirtualWorkspace.open({ catalog: await animals() })
  await loop.step(workspace)
  await loop.call(workspace, 'loadSkill', { skillName: 'dogs' })
  await workspace.activateSkill('cats')
  expect(times(await loop.step(workspace), CATS)).toBe(1)
})

const TEXTS = { owls: OWLS, mice: MICE, cats: CATS } as const
const names = fc.constantFrom('owls', 'mice', 'cats')

/** An act between two steps of a loop. A restart opens the session in another process. */
const acts = fc.array(
  fc.oneof(
    fc.record({ loads: names }),
    fc.record({ unloads: names }),
    fc.record({ activates: names }),
    fc.record({ deactivates: names }),
    fc.constantFrom('turn' as const, 'restart' as const, 'nothing' as const),
  ),
  { maxLength: 12 },
)

test('after each activation, whoever made it, a loop of its own has the text of the skill exactly once more', async () => {
  const catalog = await animals()
  await fc.assert(
    fc.asyncProperty(acts, async (script) => {
      const open = { catalog, log: createMemoryLog(), session: 's' }
      let workspace = await VirtualWorkspace.open(open)
      const loop = ownLoop()
      await loop.step(workspace)
      for (const act of script) {
        const before = new Map(workspace.skills().map(({ name, status }) => [name, status]))
        const had = loop.messages.join('\n')
        if (act === 'turn') await workspace.beginTurn()
        else if (act === 'restart') workspace = await VirtualWorkspace.open(open)
        else if (act === 'nothing') expect(act).toBe('nothing')
        else if ('activates' in act) await workspace.activateSkill(act.activates)
        else if ('deactivates' in act) await workspace.deactivateSkill(act.deactivates)
        else if ('unloads' in act)
          await loop.call(workspace, 'unloadSkill', { skillName: act.unloads })
        else if (before.get(act.loads) !== 'active')
          await loop.call(workspace, 'loadSkill', { skillName: act.loads })
        await loop.step(workspace)
        const now = loop.messages.join('\n')
        for (const { name, status } of workspace.skills()) {
          const text = TEXTS[name as keyof typeof TEXTS]
          const isNew = status === 'active' && before.get(name) !== 'active'
          expect(times(now, text) - times(had, text)).toBe(isNew ? 1 : 0)
        }
      }
    }),
    { numRuns: 60 },
  )
})
