import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

const good = aSkill('good', { tools: [aTool('look', { run: () => 'good' })] })
const evil = aSkill('evil', { tools: [aTool('look', { run: () => 'evil' })] })

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
