import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

test('a call whose name goes to another owner before it starts is not aborted with the first one', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const leaving = aSkill('owls', {
    tools: [aTool('look', { description: 'By night.', execute: () => 'owls' })],
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

test('a call whose skill leaves and is back before it starts is not aborted', async () => {
  const owls = aSkill('owls', { tools: [aTool('look', { execute: () => 'owls' })] })
  const alone = aSkill('alone', { exclusive: true })
  const workspace = await aWorkspace({ skills: [owls, alone] })
  await workspace.activateSkill('owls')
  const commands = [workspace.activateSkill('alone'), workspace.activateSkill('owls')]
  const call = workspace.callTool('look', {})
  expect(await Promise.all(commands)).toMatchObject([{ ok: true }, { ok: true }])
  expect(await call).toMatchObject({ ok: true, data: 'owls' })
})
