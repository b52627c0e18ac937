import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  VirtualWorkspace,
  type EventLog,
} from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, history } from './a-workspace.ts'

/** A log of which one append fails, counted from the first. */
function failingAt(log: EventLog, at: number): EventLog {
  const { immediate: _, ...rest } = log as EventLog & { immediate?: unknown }
  let appends = 0
  return {
    ...rest,
    async append(...given) {
      appends += 1
      if (appends === at) throw new Error('disk full')
      await log.append(...given)
    },
  }
}

async function catalogOf() {
  return createCatalog({
    skills: [aSkill('base'), aSkill('top', { requires: ['base'] }), aSkill('owls')],
    tools: [aTool('clock')],
    agents: [defineAgent({ name: 'keeper', prompt: '', initialSkills: ['top', 'owls'] })],
  })
}

test('an opening that was cut short, wherever that is, is finished by the next one', async () => {
  const options = { catalog: await catalogOf(), agent: 'keeper', session: 's1' }
  const whole = await VirtualWorkspace.open(options)
  let cuts = 0
  for (let at = 2; ; at += 1) {
    const log = createMemoryLog()
    const opened = await VirtualWorkspace.open({ ...options, log: failingAt(log, at) }).catch(
      (error: unknown) => error,
    )
    if (opened instanceof VirtualWorkspace) break
    expect(opened).toMatchObject({ message: 'disk full' })
    cuts += 1
    const again = await VirtualWorkspace.open({ ...options, log })
    expect(again.tools().map(({ name, status }) => `${name} ${status}`)).toEqual(
      whole.tools().map(({ name, status }) => `${name} ${status}`),
    )
    expect(again.skillManager.getActiveSkills().map(({ name }) => name)).toEqual([
      'base',
      'top',
      'owls',
    ])
  }
  expect(cuts).toBeGreaterThan(3)
})

test('an initial skill that was deactivated is not activated again', async () => {
  const log = createMemoryLog()
  const options = { catalog: await catalogOf(), agent: 'keeper', session: 's1', log }
  const first = await VirtualWorkspace.open(options)
  await first.deactivateSkill('owls')
  const again = await VirtualWorkspace.open(options)
  expect(again.skillManager.getActiveSkills().map(({ name }) => name)).toEqual(['base', 'top'])
  expect(await history(again, 5)).toEqual(await history(first, 5))
})

test('a complete opening is not repeated', async () => {
  const log = createMemoryLog()
  const options = { catalog: await catalogOf(), agent: 'keeper', session: 's1', log }
  const { state } = await VirtualWorkspace.open(options)
  expect((await VirtualWorkspace.open(options)).state).toEqual(state)
})
