import { defineComponent, type Outcome, type VirtualWorkspace } from 'loadout'
import { afterEach, expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

const warnings: Error[] = []
const note = (warning: Error): void => void warnings.push(warning)

const printers = process.listeners('warning')

afterEach(() => {
  process.removeAllListeners('warning')
  for (const printer of printers) process.on('warning', printer)
  warnings.length = 0
})

test('listeners are notified once per command, with its outcome', async () => {
  const told: unknown[] = []
  const workspace = await aWorkspace({ skills: [aSkill('owls'), aSkill('mice')] })
  const stop = workspace.subscribe((outcome, entries) => {
    told.push([outcome.ok ? outcome.difference : outcome.code, entries.map(({ seq }) => seq)])
  })
  await workspace.activateSkill('owls')
  await workspace.activateSkill('owls')
  await workspace.beginTurn()
  await workspace.setToolEnabled('owls_tool', true)
  await workspace.callTool('owls_tool', {})
  stop()
  await workspace.deactivateSkill('owls')
  const none = { added: [], removed: [], changed: [] }
  expect(told).toEqual([
    [{ ...none, added: ['owls_tool'] }, [1]],
    ['skill-already-active', [2]],
    [none, [3]],
    [none, [4]],
    [none, [5]],
  ])
})

test('the difference of a switch between skills names what came, went and changed', async () => {
  const workspace = await aWorkspace({
    skills: [
      aSkill('one', { tools: [aTool('both', { description: 'One.' }), aTool('first')] }),
      aSkill('two', {
        exclusive: true,
        tools: [aTool('both', { description: 'Two.' }), aTool('second')],
      }),
    ],
  })
  await workspace.activateSkill('one')
  expect(await workspace.activateSkill('two')).toMatchObject({
    difference: { added: ['second'], removed: ['first'], changed: ['both'] },
  })
})

test('a shared tool that goes on as that of another owner changed, whatever the owners are called', async () => {
  const look = aTool('look')
  const kit = defineComponent({
    key: 'kit',
    initialState: null,
    tools: [look],
    panel: () => ({ title: 'Kit', lines: [] }),
  })
  const workspace = await aWorkspace({ skills: [aSkill('kit', { tools: [look] })] })
  await workspace.activateSkill('kit')
  await workspace.registerComponent(kit)
  expect(await workspace.deactivateSkill('kit')).toMatchObject({
    difference: { added: [], removed: [], changed: ['look'] },
  })
})

test('a listener sees the state its command led to, and may command in turn', async () => {
  const workspace: VirtualWorkspace = await aWorkspace({ skills: [aSkill('owls'), aSkill('mice')] })
  const nested: Promise<Outcome>[] = []
  const seen: unknown[] = []
  workspace.subscribe((outcome) => {
    seen.push([outcome.seq, workspace.state.seq])
    if (nested.length === 0) nested.push(workspace.activateSkill('mice'))
  })
  await workspace.activateSkill('owls')
  expect(await nested[0]).toMatchObject({ ok: true, seq: 2 })
  expect(seen).toEqual([
    [1, 1],
    [2, 2],
  ])
})

test.each<{ what: string; fails: () => unknown }>([
  {
    what: 'throws',
    fails: () => {
      throw new Error('listener')
    },
  },
  { what: 'rejects', fails: () => Promise.reject(new Error('listener')) },
])('a listener that $what harms nobody, and is reported', async ({ fails }) => {
  process.removeAllListeners('warning')
  process.on('warning', note)
  const told: number[] = []
  const workspace = await aWorkspace(
    { skills: [aSkill('owls')] },
    {
      tools: [
        aTool('busy', { execute: (_: unknown, { progress }) => progress({ fraction: 0.5 }) }),
      ],
      onProgress: () => fails() as undefined,
    },
  )
  workspace.subscribe(() => fails() as undefined)
  workspace.subscribe(({ seq }) => void told.push(seq))
  expect(await workspace.activateSkill('owls')).toMatchObject({ ok: true })
  expect(await workspace.callTool('busy', {})).toMatchObject({ ok: true })
  expect(told).toEqual([2, 3, 4])
  await new Promise((resolve) => setImmediate(resolve))
  // Once for the activation, once for the progress, once each for the start and end of the call.
  expect(warnings.map(({ name, message }) => [name, message])).toEqual(
    Array.from({ length: 4 }, () => ['LoadoutListenerWarning', 'listener']),
  )
})

test('the callback for availability is called for changes only, and a new one replaces it', async () => {
  const told: string[] = []
  const workspace = await aWorkspace({ skills: [aSkill('owls')] })
  workspace.setOnToolAvailabilityChange(() => told.push('first'))
  await workspace.activateSkill('owls')
  await workspace.beginTurn()
  await workspace.activateSkill('owls')
  workspace.setOnToolAvailabilityChange(() => told.push('second'))
  await workspace.setToolEnabled('owls_tool', false)
  workspace.setOnToolAvailabilityChange(undefined)
  await workspace.setToolEnabled('owls_tool', true)
  expect(told).toEqual(['first', 'second'])
})

test('after close no listener is notified', async () => {
  const told: unknown[] = []
  const workspace = await aWorkspace({ skills: [aSkill('owls')] })
  workspace.subscribe((outcome) => told.push(outcome))
  await workspace.close()
  await workspace.callTool('owls_tool', {})
  expect(told).toEqual([])
})
