import type { VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { RENAMED } from '../../scripts/upgrade/renamed.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

const members = RENAMED.filter(({ kind }) => kind === 'member')

const open = () => aWorkspace({ skills: [aSkill('shop')], tools: [aTool('weigh')] })

test.each(members)('the old name $from is $to', async ({ from, to }) => {
  const [group = '', name = ''] = to.split('.')
  const workspace = await open()
  const moved = Reflect.get(Reflect.get(workspace, group) as object, name) as unknown
  expect(moved).toBeDefined()
  expect(Reflect.get(workspace, from)).toBe(moved)
})

test('an old name of a member is called as before, also in a child and in an earlier state', async () => {
  const workspace = await open()
  const { meta } = await workspace.callTool('weigh', {})
  expect(await workspace.call(meta.call)).toEqual(await workspace.calls.report(meta.call))
  expect(await workspace.awaitCall(meta.call)).toMatchObject({ call: meta.call })
  expect(await workspace.metrics()).toMatchObject({ total: { calls: 1 } })
  expect((await workspace.resetMetrics({ by: 'user' })).ok).toBe(true)
  expect(await workspace.figures.metrics()).toMatchObject({ total: { calls: 0 } })
  const child: VirtualWorkspace = await workspace.child({ session: 'inner' })
  expect(child.tokenizer).toBe(workspace.tokenizer)
  const look = await workspace.look(0)
  expect(look.ledger()).toEqual(look.figures.ledger())
  expect(look.asksFirst('weigh')).toBe(false)
  await child.close()
})

test('a group is the same object whenever it is read', async () => {
  const workspace = await open()
  const { figures, sessions, calls, approvals } = workspace
  expect([workspace.figures, workspace.sessions, workspace.calls, workspace.approvals]).toEqual([
    figures,
    sessions,
    calls,
    approvals,
  ])
  expect(workspace.figures).toBe(figures)
})
