import {
  createMemoryApprovals,
  createMemoryLog,
  type ApprovalStore,
  type VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, history } from '../a-workspace.ts'
import { aShop, asked, GIVEN, refund, refundTool } from './a-shop.ts'

const OTHER = { order: '8', amount: 500 }

async function approve(workspace: VirtualWorkspace, remember?: 'call' | 'session' | 'digest') {
  const id = asked(await refund(workspace))
  return workspace.approve(id, { by: 'user', ...(remember && { remember }) })
}

test('an approval is for one call by default', async () => {
  const { workspace } = await aShop()
  await approve(workspace, 'call')
  expect(await refund(workspace)).toMatchObject({ ok: true })
  asked(await refund(workspace))
  expect(workspace.state.approvals).toEqual([])
})

test('an approval for the session lets every call of the tool run, and says by what', async () => {
  const { workspace, ran } = await aShop()
  await approve(workspace, 'session')
  for (const input of [GIVEN, OTHER, GIVEN]) {
    expect(await refund(workspace, input)).toMatchObject({ ok: true })
  }
  expect(ran).toEqual([GIVEN, OTHER, GIVEN])
  expect(workspace.tools()[0]).toMatchObject({ status: 'available', asks: false })
  const starts = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'call.started' ? [[event.confirmation !== null, event.approval]] : [],
  )
  expect(starts).toEqual([
    [true, undefined],
    [false, 'session'],
    [false, 'session'],
  ])
})

test('an approval for the session is of that session only, and survives a restart of it', async () => {
  const log = createMemoryLog()
  const first = await aShop({ log, session: 's' })
  await approve(first.workspace, 'session')
  await first.workspace.close()
  const again = await aShop({ log, session: 's' })
  expect(await refund(again.workspace, OTHER)).toMatchObject({ ok: true })
  const other = await aShop({ log, session: 'other' })
  asked(await refund(other.workspace))
})

test('an approval of a definition holds in another session, and a replay need not ask for it', async () => {
  const log = createMemoryLog()
  const approvals = createMemoryApprovals()
  const first = await aShop({ log, session: 'a', approvals })
  await approve(first.workspace, 'digest')
  const second = await aShop({ log, session: 'b', approvals })
  expect(await refund(second.workspace, OTHER)).toMatchObject({ ok: true })
  expect(await refund(second.workspace, GIVEN)).toMatchObject({ ok: true })
  expect(await history(second.workspace, 2)).toEqual([
    'approval.recalled global',
    'call.started global',
    'call.ended refund',
    'call.started global',
    'call.ended refund',
  ])
  const unasked: ApprovalStore = {
    has: () => Promise.reject(new Error('a replay must not ask')),
    put: () => Promise.reject(new Error('a replay must not put')),
    remove: () => Promise.reject(new Error('a replay must not remove')),
  }
  const reader = await aShop({ log, session: 'b', approvals: unasked, readOnly: true })
  expect(reader.workspace.state).toEqual(second.workspace.state)
})

test.each([
  { what: 'another principal', options: { principal: { id: 'bob' } }, more: {} },
  { what: 'another definition', options: {}, more: { description: 'Pays twice.' } },
])('an approval of a definition is not for $what', async ({ options, more }) => {
  const approvals = createMemoryApprovals()
  const ann = { principal: { id: 'ann' }, approvals }
  const { workspace } = await aShop(ann)
  await approve(workspace, 'digest')
  asked(await refund((await aShop({ ...ann, ...options }, more)).workspace))
  expect(await refund((await aShop(ann)).workspace)).toMatchObject({ ok: true })
})

test('an approval is not for another owner with the very same definition', async () => {
  const approvals = createMemoryApprovals()
  const { workspace } = await aShop({ approvals })
  await approve(workspace, 'digest')
  const skill = aSkill('billing', { tools: [refundTool([])] })
  const other = await aWorkspace({ skills: [skill] }, { approvals })
  await other.activateSkill('billing')
  expect(asked(await refund(other))).toBe(other.state.confirmations[0]?.id)
})

test('an approval does not go over to the next owner of the name in the session', async () => {
  const skill = aSkill('billing', { tools: [refundTool([])] })
  const workspace = await aWorkspace({ skills: [skill] }, { tools: [refundTool([])] })
  await approve(workspace, 'session')
  expect(await refund(workspace)).toMatchObject({ ok: true })
  await workspace.unregisterTool('refund')
  await workspace.activateSkill('billing')
  expect(asked(await refund(workspace))).toBe(workspace.state.confirmations[0]?.id)
})

test('without a store nothing is remembered beyond the session, and the approval is rejected', async () => {
  const { workspace } = await aShop()
  const id = asked(await refund(workspace))
  await expect(workspace.approve(id, { remember: 'digest' })).rejects.toMatchObject({
    code: 'APPROVALS_NOT_KEPT',
  })
  expect(asked(await refund(workspace))).toBe(id)
})

test('an approval that is taken back holds nowhere any more', async () => {
  const approvals = createMemoryApprovals()
  const first = await aShop({ approvals })
  const second = await aShop({ approvals })
  await approve(first.workspace, 'digest')
  expect(await refund(second.workspace)).toMatchObject({ ok: true })
  expect(await first.workspace.approvals.revoke('refund', { by: 'user' })).toMatchObject({
    ok: true,
  })
  await first.workspace.beginTurn()
  // Approved for the one call as well, which nobody made.
  expect(await refund(first.workspace)).toMatchObject({ ok: true })
  asked(await refund(first.workspace))
  asked(await refund(second.workspace))
  expect((await history(second.workspace)).slice(-3)).toEqual([
    'call.ended refund',
    'approval.revoked global',
    'confirmation.asked global',
  ])
  expect(await first.workspace.approvals.revoke('refund')).toMatchObject({
    code: 'approval-unknown',
  })
})

test('an approval of a tool that left can be taken back, too', async () => {
  const { workspace } = await aShop()
  await approve(workspace, 'session')
  await workspace.unregisterTool('refund')
  expect(await workspace.approvals.revoke('refund')).toMatchObject({ ok: true })
  expect(workspace.state).toMatchObject({ approvals: [], pins: [] })
  expect(await workspace.approvals.revoke('nothing')).toMatchObject({ code: 'approval-unknown' })
})

test('a store that fails has nothing: a person is asked, and a warning is on record', async () => {
  const approvals: ApprovalStore = {
    ...createMemoryApprovals(),
    has: () => Promise.reject(new Error('disk on fire')),
  }
  const { workspace } = await aShop({ approvals })
  asked(await refund(workspace))
  const warnings = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'warning.given' ? [`${event.code}: ${event.message}`] : [],
  )
  expect(warnings).toMatchInlineSnapshot(`
    [
      "approvals-unreadable: The approval store could not be read: disk on fire",
    ]
  `)
})

test('an approval that could not be stored lets only its own call run', async () => {
  const approvals: ApprovalStore = {
    ...createMemoryApprovals(),
    put: () => Promise.reject(new Error('disk full')),
  }
  const { workspace, ran } = await aShop({ approvals })
  const id = asked(await refund(workspace))
  await expect(workspace.approve(id, { remember: 'digest' })).rejects.toMatchObject({
    code: 'APPROVAL_NOT_KEPT',
  })
  expect(await refund(workspace)).toMatchObject({ ok: true })
  asked(await refund(workspace))
  expect(ran).toEqual([GIVEN])
})

test('a call that was denied stays denied, whatever was remembered of its tool', async () => {
  const { workspace } = await aShop()
  const denied = asked(await refund(workspace, OTHER))
  await workspace.deny(denied, { by: 'user' })
  await approve(workspace, 'session')
  expect(await refund(workspace, OTHER)).toMatchObject({ error: { type: 'DENIED' } })
  expect(await refund(workspace)).toMatchObject({ ok: true })
  await workspace.beginTurn()
  expect(await refund(workspace, OTHER)).toMatchObject({ ok: true })
})

test('nothing is remembered of a tool that is no longer the one that was asked about', async () => {
  const { workspace } = await aShop()
  const id = asked(await refund(workspace))
  await workspace.registerTool(refundTool([], { description: 'Pays twice.' }), { replace: true })
  expect(await workspace.approve(id, { remember: 'session' })).toMatchObject({ code: 'changed' })
  expect(workspace.state.approvals).toEqual([])
})

test('a rule of the host that asks is answered by what was remembered, one that denies is not', async () => {
  const { workspace } = await aShop(
    { policy: { permissions: { ask: ['refund'] } } },
    { requiresConfirmation: false },
  )
  await approve(workspace, 'session')
  expect(await refund(workspace, OTHER)).toMatchObject({ ok: true })
  await workspace.setPermissions({ deny: ['refund'] })
  expect(await refund(workspace, OTHER)).toMatchObject({ error: { type: 'DENIED' } })
})

test.each(['__proto__', 'constructor', 'toString'])(
  'a tool named %s is remembered as any',
  async (name) => {
    const tool = aTool(name, { requiresConfirmation: true })
    const workspace = await aWorkspace({}, { tools: [tool], approvals: createMemoryApprovals() })
    const id = asked(await workspace.callTool(name, {}))
    await workspace.approve(id, { remember: 'digest' })
    for (const _ of [1, 2]) expect(await workspace.callTool(name, {})).toMatchObject({ ok: true })
    expect(await workspace.approvals.revoke(name)).toMatchObject({ ok: true })
    asked(await workspace.callTool(name, {}))
  },
)

test.each([
  {
    remember: 'session',
    text: 'A person approved all calls of it in this session.',
  },
  {
    remember: 'digest',
    text: 'A person approved all calls of it with this definition, for as long as the approval is kept.',
  },
] as const)(
  'explain names the approval ($remember) that keeps a tool from being asked about',
  async ({ remember, text }) => {
    const permissions = { ask: ['refund'] }
    const { workspace } = await aShop({
      policy: { permissions },
      approvals: createMemoryApprovals(),
    })
    await approve(workspace, remember)
    const { because } = workspace.explain('refund')
    const seq = workspace.state.approvals[0]?.seq
    expect(because.slice(1)).toEqual([{ seq, text }])
  },
)

test('a workspace that cannot record it leaves the approvals of the store', async () => {
  const approvals = createMemoryApprovals()
  const log = createMemoryLog()
  const options = { log, session: 's', approvals }
  const { workspace } = await aShop(options)
  await workspace.approve(asked(await refund(workspace)), { remember: 'digest' })
  const { workspace: looking } = await aShop({ ...options, readOnly: true })
  await expect(looking.approvals.revoke('refund')).rejects.toMatchObject({ code: 'READ_ONLY' })
  const { workspace: closed } = await aShop(options)
  await closed.close()
  await expect(closed.approvals.revoke('refund')).rejects.toMatchObject({
    code: 'WORKSPACE_CLOSED',
  })
  const { workspace: other, ran } = await aShop({ approvals })
  expect(await refund(other)).toMatchObject({ ok: true })
  expect(ran).toHaveLength(1)
})

test('whether a call asks is what the store says, as when the call is made', async () => {
  const approvals = createMemoryApprovals()
  const { workspace } = await aShop({ approvals })
  await approve(workspace, 'digest')
  const later = await aShop({ approvals, session: 'later' })
  expect(await later.workspace.approvals.asksAbout('refund', GIVEN)).toBe(false)
  await workspace.approvals.revoke('refund')
  expect(await later.workspace.approvals.asksAbout('refund', GIVEN)).toBe(true)
  expect(await later.workspace.entries()).toHaveLength(2)
  const broken = { ...approvals, has: () => Promise.reject(new Error('disk on fire')) }
  const failing = await aShop({ approvals: broken })
  expect(await failing.workspace.approvals.asksAbout('refund', GIVEN)).toBe(true)
})
