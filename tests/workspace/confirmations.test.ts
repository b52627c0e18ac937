import {
  createMemoryLog,
  defineComponent,
  type Clock,
  type ToolComponent,
  type ToolResponse,
  type VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aTool, aWorkspace, history } from './a-workspace.ts'

const HOUR = 3_600_000

function handClock(): Clock & { at: number } {
  const clock = { at: 1_000_000, now: () => clock.at, monotonic: () => clock.at }
  return clock
}

async function shop(options: Parameters<typeof aWorkspace>[1] = {}) {
  const refunds: unknown[] = []
  const refund = aTool('refund', {
    category: 'action',
    requiresConfirmation: true,
    inputSchema: z.object({ order: z.string(), amount: z.number() }) as never,
    execute: (input: unknown) => {
      refunds.push(input)
      return 'paid'
    },
  })
  const workspace = await aWorkspace({}, { tools: [refund], ...options })
  return { workspace, refunds }
}

const GIVEN = { order: '7', amount: 5 }

function asked(response: ToolResponse): string {
  if (response.ok) throw new Error('it was not asked about')
  expect(response.error.type).toBe('CONFIRMATION_REQUIRED')
  return String(response.error.details['confirmation'])
}

const call = (workspace: VirtualWorkspace, input: unknown = GIVEN) =>
  workspace.callTool('refund', input)

test('a call is asked about, approved, and the same call runs exactly once', async () => {
  const { workspace, refunds } = await shop({ testing: { clock: handClock() } })
  const id = asked(await call(workspace))
  expect(id).toMatch(/^[0-9a-f]{32}$/u)
  expect(asked(await call(workspace))).toBe(id)
  expect(workspace.tools()[0]).toMatchObject({ status: 'available', asks: true })
  expect(await workspace.approve(id, { by: 'user' })).toMatchObject({ ok: true })
  expect(refunds).toEqual([])
  expect(await call(workspace, { amount: 5, order: '7' })).toMatchObject({ data: 'paid' })
  expect(refunds).toEqual([GIVEN])
  expect(asked(await call(workspace))).not.toBe(id)
  expect(refunds).toHaveLength(1)
  expect((await history(workspace, 2)).slice(0, 4)).toEqual([
    'confirmation.asked global',
    'command.refused refund (confirmation-required)',
    'confirmation.approved',
    'call.started global',
  ])
})

test('an approval is for its arguments and no others', async () => {
  const { workspace, refunds } = await shop()
  const id = asked(await call(workspace))
  await workspace.approve(id)
  expect(asked(await call(workspace, { order: '7', amount: 50 }))).not.toBe(id)
  expect(refunds).toEqual([])
})

test('a denied call stays denied until the next turn', async () => {
  const { workspace, refunds } = await shop()
  const id = asked(await call(workspace))
  expect(await workspace.deny(id)).toMatchObject({ ok: true })
  expect(await call(workspace)).toMatchObject({
    error: { type: 'DENIED', details: { code: 'confirmation-denied', confirmation: id } },
  })
  await workspace.beginTurn()
  expect(asked(await call(workspace))).not.toBe(id)
  expect(refunds).toEqual([])
})

test.each<{ when: string; after: number; ok: boolean }>([
  { when: 'just before it expires', after: HOUR - 1, ok: true },
  { when: 'when it expires', after: HOUR, ok: false },
  { when: 'a year later', after: 8_760 * HOUR, ok: false },
])('an approval that comes $when counts: $ok', async ({ after, ok }) => {
  const clock = handClock()
  const { workspace } = await shop({ testing: { clock }, limits: { confirmationMs: HOUR } })
  const id = asked(await call(workspace))
  clock.at += after
  const outcome = await workspace.approve(id)
  expect(outcome.ok ? null : outcome.code).toBe(ok ? null : 'confirmation-expired')
  if (ok) expect(await call(workspace)).toMatchObject({ ok: true })
  else expect(asked(await call(workspace))).not.toBe(id)
})

test('an approval that was given in time expires before the call, too', async () => {
  const clock = handClock()
  const { workspace, refunds } = await shop({
    testing: { clock },
    limits: { confirmationMs: HOUR },
  })
  const id = asked(await call(workspace))
  await workspace.approve(id)
  clock.at += HOUR
  expect(asked(await call(workspace))).not.toBe(id)
  expect(refunds).toEqual([])
  expect(await history(workspace)).toContain('confirmation.expired')
})

test('what was never answered is forgotten with the turn after its time', async () => {
  const clock = handClock()
  const { workspace } = await shop({ testing: { clock }, limits: { confirmationMs: HOUR } })
  for (const order of ['1', '2', '3']) asked(await call(workspace, { order, amount: 1 }))
  await workspace.beginTurn()
  expect(workspace.state.confirmations).toHaveLength(3)
  clock.at += HOUR
  await workspace.beginTurn()
  expect(workspace.state.confirmations).toEqual([])
})

test.each(['', '0'.repeat(32), '__proto__', 'x'.repeat(10_000)])(
  'the id "%.40s" approves nothing',
  async (forged) => {
    const { workspace } = await shop()
    asked(await call(workspace))
    expect(await workspace.approve(forged)).toMatchObject({ code: 'confirmation-unknown' })
    asked(await call(workspace))
  },
)

test.each<[string, (id: string) => string]>([
  ['another last digit', (id) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')],
  ['another first digit', (id) => (id.startsWith('0') ? '1' : '0') + id.slice(1)],
  ['its last digit missing', (id) => id.slice(0, -1)],
  ['a digit more', (id) => `${id}0`],
  ['a blank behind it', (id) => `${id} `],
])('the id that was asked about, with %s, approves nothing', async (_what, forge) => {
  const { workspace } = await shop()
  const id = asked(await call(workspace))
  expect(await workspace.approve(forge(id))).toMatchObject({ code: 'confirmation-unknown' })
  expect(asked(await call(workspace))).toBe(id)
})

test('an approval is of one session, and of the principal that opened it', async () => {
  const log = createMemoryLog()
  const mine = await shop({ log, session: 'mine', principal: { id: 'ann' } })
  const other = await shop({ log, session: 'other', principal: { id: 'ann' } })
  const id = asked(await call(mine.workspace))
  asked(await call(other.workspace))
  expect(await other.workspace.approve(id)).toMatchObject({ code: 'confirmation-unknown' })
  await mine.workspace.approve(id)
  asked(await call(other.workspace))
  await expect(shop({ log, session: 'mine', principal: { id: 'bob' } })).rejects.toMatchObject({
    code: 'SESSION_MISMATCH',
    facts: { key: 'principal' },
  })
})

test('of two workspaces that race for one approval, exactly one runs', async () => {
  const log = createMemoryLog()
  const one = await shop({ log, session: 's' })
  const two = await shop({ log, session: 's' })
  const id = asked(await call(one.workspace))
  expect(asked(await call(two.workspace))).toBe(id)
  await two.workspace.approve(id)
  const answers = await Promise.all([
    call(one.workspace),
    call(two.workspace),
    call(one.workspace),
    call(two.workspace),
  ])
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  expect([...one.refunds, ...two.refunds]).toEqual([GIVEN])
  for (const answer of answers) if (!answer.ok) expect(asked(answer)).not.toBe(id)
})

test('a tool that changed after it was approved asks again', async () => {
  const { workspace, refunds } = await shop()
  const id = asked(await call(workspace))
  await workspace.approve(id)
  await workspace.unregisterTool('refund')
  const changed = aTool('refund', {
    description: 'Pays twice.',
    requiresConfirmation: true,
    inputSchema: z.object({ order: z.string(), amount: z.number() }) as never,
  })
  await workspace.registerTool(changed)
  expect(asked(await call(workspace))).not.toBe(id)
  expect(refunds).toEqual([])
})

test('a model that asks without end pushes out its own questions, never an answer', async () => {
  const { workspace } = await shop({ testing: { clock: handClock() } })
  const approved = asked(await call(workspace))
  await workspace.approve(approved)
  const first = asked(await call(workspace, { order: '7', amount: 0 }))
  for (let amount = 100; amount < 250; amount += 1) await call(workspace, { order: '7', amount })
  expect(workspace.state.confirmations).toHaveLength(99)
  expect(workspace.state.answers).toHaveLength(1)
  expect(await workspace.approve(first)).toMatchObject({ code: 'confirmation-unknown' })
  expect(await call(workspace)).toMatchObject({ ok: true, data: 'paid' })
})

test('arguments that change after they were checked are not those that run', async () => {
  const ran: unknown[] = []
  const pay = aTool('pay', {
    requiresConfirmation: true,
    inputSchema: { type: 'object', properties: { amount: { type: 'number' } } } as never,
    execute: ((input: unknown) => ran.push(input)) as never,
  })
  const workspace = await aWorkspace({}, { tools: [pay] })
  const given = { amount: 1 }
  await workspace.callTool('pay', given)
  await workspace.approve(workspace.state.confirmations[0]?.id ?? '')
  const answer = workspace.callTool('pay', given)
  const spoil = () => (given.amount = 1_000)
  for (let tick = 0; tick < 10; tick += 1) await Promise.resolve()
  spoil()
  expect(await answer).toMatchObject({ ok: true })
  expect(ran).toEqual([{ amount: 1 }])
})

test('an approval is of one owner’s tool, and not of another’s that is defined alike', async () => {
  const wipe = () =>
    aTool('wipe', { requiresConfirmation: true, execute: (_: unknown, { call }) => call.owner })
  const parts = ['mine', 'yours'].map((key) =>
    defineComponent({
      key,
      initialState: {},
      tools: [wipe()],
      panel: () => ({ title: key, lines: [] }),
    }),
  )
  const [mine, yours] = parts as [ToolComponent, ToolComponent]
  const workspace = await aWorkspace({}, { components: [mine] })
  await workspace.callTool('wipe', {})
  const id = workspace.state.confirmations[0]?.id ?? ''
  await workspace.approve(id)
  await workspace.unregisterComponent('mine')
  await workspace.registerComponent(yours)
  expect(await workspace.callTool('wipe', {})).toMatchObject({
    error: { type: 'CONFIRMATION_REQUIRED' },
  })
  await workspace.unregisterComponent('yours')
  await workspace.registerComponent(mine)
  expect(await workspace.callTool('wipe', {})).toMatchObject({ data: 'mine' })
})

test.each([
  { first: 'approve', consent: 'approved' },
  { first: 'deny', consent: 'denied' },
] as const)('the second answer $first is refused with the entry of the first', async (row) => {
  const { workspace } = await shop()
  const id = asked(await call(workspace))
  const { seq } = (await workspace[row.first](id)).orThrow()
  expect(await workspace[row.first](id, { by: 'user' })).toMatchObject({
    code: 'confirmation-answered',
    message: `The question about "refund" was answered before, in entry ${seq}: ${row.consent}.`,
    facts: { consent: row.consent, answeredBy: seq },
  })
  expect(
    (await workspace.entries()).filter(({ event }) => 'id' in event && event.id === id),
  ).toHaveLength(2)
})

test('a denial takes an approval back until the call has run', async () => {
  const { workspace, refunds } = await shop()
  const id = asked(await call(workspace))
  await workspace.approve(id)
  expect(await workspace.deny(id, { by: 'user' })).toMatchObject({ ok: true })
  expect(await call(workspace)).toMatchObject({ error: { type: 'DENIED' } })
  expect(refunds).toEqual([])
})

test('a denied call cannot be approved in the same turn, and is asked about in the next one', async () => {
  const { workspace } = await shop()
  const id = asked(await call(workspace))
  expect(await workspace.deny(id, { by: 'user' })).toMatchObject({ ok: true })
  for (const remember of ['call', 'session'] as const) {
    const outcome = await workspace.approve(id, { by: 'user', remember })
    expect(outcome).toMatchObject({ ok: false, code: 'confirmation-denied' })
  }
  expect(await call(workspace)).toMatchObject({ error: { type: 'DENIED' } })
  await workspace.beginTurn()
  await workspace.approve(asked(await call(workspace)))
  expect(await call(workspace)).toMatchObject({ ok: true })
})
