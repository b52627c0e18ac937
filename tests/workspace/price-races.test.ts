import { createMemoryLog } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

test('a step that another process begins meanwhile does not undo the leaving of a skill', async () => {
  const log = createMemoryLog()
  const gate = Promise.withResolvers<void>()
  const undone: boolean[] = []
  const skill = aSkill('any', {
    onDeactivate: ({ undo }) => {
      undone.push(undo)
      return gate.promise
    },
    onActivate: ({ undo }) => void undone.push(undo),
  })
  const definitions = { skills: [skill], tools: [aTool('clock')] }
  const first = await aWorkspace(definitions, { log, session: 's' })
  await first.activateSkill('any')
  const second = await aWorkspace(definitions, { log, session: 's' })
  const leaving = first.deactivateSkill('any')
  await second.beginStep()
  gate.resolve()
  expect(await leaving).toMatchObject({ ok: true })
  expect(undone).toEqual([false, false])
  const entries = await first.entries()
  expect(entries.map(({ event }) => event.type).slice(-2)).toEqual(['step.begun', 'source.closed'])
})
