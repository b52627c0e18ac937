import { createMemoryLog } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, history } from './a-workspace.ts'

const good = aSkill('good', { tools: [aTool('look', { execute: () => 'good' })] })
const evil = aSkill('evil', { tools: [aTool('look', { execute: () => 'evil' })] })

test.each([
  [[good, evil], 'good'],
  [[evil, good], 'good'],
  [[good, evil], 'evil'],
  [[evil, good], 'evil'],
])(
  'a skill runs its own handler, though another defines the tool word for word',
  async (skills, active) => {
    const workspace = await aWorkspace({ skills })
    await workspace.activateSkill(active)
    expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: active })
  },
)

test('of two skills that are active, the one that holds the name runs its own, and the other after it', async () => {
  const workspace = await aWorkspace({ skills: [evil, good] })
  await workspace.activateSkill('good')
  await workspace.activateSkill('evil')
  const { owner } = workspace.explain('look')
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: owner })
  await workspace.deactivateSkill(owner ?? '')
  const other = owner === 'good' ? 'evil' : 'good'
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: other })
})

test('a shared tool whose first owner is broken by the call is the other one’s, after its own hook', async () => {
  const ran: string[] = []
  const sharing = (name: string, onActivate: (resumed: boolean) => void) =>
    aSkill(name, {
      tools: [aTool('look', { execute: () => ran.push(`${name} looked`) })],
      onActivate: ({ resumed }) => onActivate(resumed),
    })
  const first = sharing('first', (resumed) => {
    if (resumed) throw new Error('no luck')
  })
  const second = sharing('second', (resumed) => {
    if (resumed) ran.push('second resumed')
  })
  const log = createMemoryLog()
  const before = await aWorkspace({ skills: [first, second] }, { log, session: 's' })
  await before.activateSkill('first')
  await before.activateSkill('second')
  await before.close()
  const workspace = await aWorkspace({ skills: [first, second] }, { log, session: 's' })
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true })
  expect(ran).toEqual(['second resumed', 'second looked'])
  expect((await history(workspace)).slice(-3)).toEqual([
    'skill.broken first',
    'call.started second',
    'call.ended look',
  ])
})

test('a shared tool whose owner leaves before the call starts is run by the one that stays', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const sharing = (name: string) =>
    aSkill(name, { tools: [aTool('look', { execute: () => name })] })
  const leaving = { ...sharing('leaving'), onDeactivate: () => gate }
  const workspace = await aWorkspace({ skills: [leaving, sharing('staying')] })
  await workspace.activateSkill('leaving')
  await workspace.activateSkill('staying')
  const gone = workspace.deactivateSkill('leaving')
  const call = workspace.callTool('look', {})
  open()
  expect(await gone).toMatchObject({ ok: true })
  expect(await call).toMatchObject({ ok: true, data: 'staying' })
})
