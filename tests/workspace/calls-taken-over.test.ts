import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

test('a call whose name goes to another owner before it starts is not aborted with the first one', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const leaving = aSkill('owls', {
    tools: [aTool('look', { description: 'By night.', run: () => 'owls' })],
    onConflict: 'shadow',
    onDeactivate: () => gate,
  })
  const workspace = await aWorkspace({ skills: [leaving], tools: [aTool('look')] })
  await workspace.activateSkill('owls')
  const gone = workspace.deactivateSkill('owls')
  const call = workspace.callTool('look', {})
  open()
  expect(await gone).toMatchObject({ ok: true })
  expect(await call).toMatchObject({ ok: true, data: 'look' })
})
