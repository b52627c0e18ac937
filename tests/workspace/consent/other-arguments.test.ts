import {
  createCatalog,
  createMemoryLog,
  type VirtualWorkspace,
  VirtualWorkspace as Workspace,
} from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../workbench/project/temporary-folder.ts'
import { aShop, asked, GIVEN, refund } from './a-shop.ts'

const LESS = { order: '7', amount: 2 }

const call = (workspace: VirtualWorkspace, input: unknown = GIVEN, id = 'c1') =>
  workspace.callTool('refund', input, { caller: 'model', call: id })

test('a call that is approved with other arguments runs once with those, and says so to the model', async () => {
  const { workspace, ran } = await aShop()
  await workspace.beginStep()
  const id = asked(await call(workspace))
  expect(await workspace.approve(id, { by: 'user', input: LESS })).toMatchObject({ ok: true })
  expect([workspace.state.confirmations.length, ran.length]).toEqual([0, 0])
  const response = await call(workspace)
  expect(response).toMatchObject({
    ok: true,
    data: 'paid',
    content: [{ text: expect.stringContaining('{"order":"7","amount":2}') }, { text: 'paid' }],
    meta: { edited: LESS },
  })
  expect(ran).toEqual([LESS])
  // Made again, it is the same call; as another one, it asks.
  expect(await call(workspace)).toMatchObject({ ok: true, meta: { recorded: true, edited: LESS } })
  expect(asked(await call(workspace, GIVEN, 'c2'))).not.toBe(id)
  expect(asked(await call(workspace, LESS, 'c3'))).not.toBe(id)
  expect(ran).toEqual([LESS])
  const events = (await workspace.entries()).map(({ event }) => event)
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'confirmation.approved',
      instead: expect.objectContaining({ input: LESS }),
    }),
  )
})

test('the answer during a call may have other arguments, or the words of a denial', async () => {
  const { workspace, ran } = await aShop()
  const make = (input: unknown, answer: object) =>
    workspace.callTool('refund', input, { caller: 'model', approve: () => answer as never })
  expect(await make(GIVEN, { approved: true, input: LESS })).toMatchObject({ ok: true })
  expect(ran).toEqual([LESS])
  expect(
    await make({ ...GIVEN, order: '8' }, { approved: false, reason: 'Ask Ada first.' }),
  ).toMatchObject({
    ok: false,
    error: { type: 'DENIED', message: expect.stringContaining('Ask Ada first.') },
  })
  expect(ran).toEqual([LESS])
})

test.each([
  ['do not fit the schema', { amount: 'two' }, 'order'],
  [
    'hold a secret that the log would hide',
    { order: 'sk-ant-api03-secret', amount: 2 },
    'redaction',
  ],
  ['are too long for the log', { order: 'x'.repeat(20_000), amount: 2 }, 'too long'],
])('arguments that %s are not approved', async (_, input, words) => {
  const { workspace, ran } = await aShop({ redact: {} })
  const id = asked(await call(workspace))
  await expect(workspace.approve(id, { input })).rejects.toMatchObject({
    code: 'ANSWER_INVALID',
    message: expect.stringContaining(words),
  })
  expect(workspace.state.confirmations).toMatchObject([{ id }])
  expect(ran).toEqual([])
})

test('the rules judge the arguments of a person, too', async () => {
  const deny = [{ tool: 'refund', where: { order: '9' } }]
  const { workspace, ran } = await aShop({ policy: { permissions: { deny } } })
  const id = asked(await call(workspace))
  await workspace.approve(id, { by: 'user', input: { order: '9', amount: 1 } })
  expect(await call(workspace)).toMatchObject({
    ok: false,
    error: {
      type: 'DENIED',
      message: expect.stringContaining('A person approved this call with other'),
    },
  })
  expect(ran).toEqual([])
})

test('a denial takes an approval with other arguments back', async () => {
  const { workspace, ran } = await aShop()
  const id = asked(await call(workspace))
  await workspace.approve(id, { input: LESS })
  await workspace.deny(id, { by: 'user', reason: 'Not this month.' })
  expect(workspace.state.answers).toMatchObject([
    { id, consent: 'denied', words: 'Not this month.' },
  ])
  expect(await call(workspace)).toMatchObject({ error: { type: 'DENIED' } })
  expect(ran).toEqual([])
})

test('a process without the tool approves other arguments, and the host runs with them after a restart', async () => {
  const file = `${await temporaryFolder({})}/s.sqlite`
  const open = async (isHost: boolean) => {
    const log = await openSqliteLog(file)
    onTestFinished(() => log.close())
    if (isHost) return aShop({ log, session: 's' })
    const catalog = await createCatalog({})
    return { workspace: await Workspace.open({ catalog, log, session: 's' }), ran: [] }
  }
  const host = await open(true)
  const id = asked(await call(host.workspace))
  await host.workspace.close()
  const { workspace: other } = await open(false)
  const wrong = { input: { amount: 'many' } }
  await expect(other.approve(id, wrong)).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
  await other.approve(id, { by: 'user', input: LESS })
  await other.close()
  const last = await open(true)
  expect(await call(last.workspace)).toMatchObject({ ok: true, meta: { edited: LESS } })
  expect([...host.ran, ...last.ran]).toEqual([LESS])
})

test('an interrupted call that ran with other arguments asks again before it runs', async () => {
  const log = createMemoryLog()
  const first = await aShop(
    { log, session: 's' },
    { idempotent: true, execute: () => new Promise(() => undefined) },
  )
  await first.workspace.beginStep()
  const id = asked(await call(first.workspace))
  await first.workspace.approve(id, { input: LESS })
  void call(first.workspace)
  await expect.poll(() => first.workspace.state.calls).toHaveLength(1)
  const { workspace, ran } = await aShop(
    { log, session: 's', onlyProcess: true },
    { idempotent: true },
  )
  expect(asked(await call(workspace))).not.toBe(id)
  expect(ran).toEqual([])
})

test('a person who is asked may make the same call: it does not wait for itself', async () => {
  const { workspace, ran } = await aShop()
  await workspace.beginStep()
  const inner: unknown[] = []
  const outer = await workspace.callTool('refund', GIVEN, {
    caller: 'model',
    call: 'c1',
    approve: async ({ id }) => {
      inner.push(asked(await call(workspace)) === id)
      return true
    },
  })
  expect([inner, outer.ok, ran]).toEqual([[true], true, [GIVEN]])
})

test('an open question leaves the list when it is answered, and a denial holds for the turn', async () => {
  const { workspace } = await aShop()
  const id = asked(await refund(workspace))
  expect(workspace.state.confirmations).toMatchObject([{ id }])
  await workspace.deny(id, { reason: '  ' })
  expect(workspace.state.confirmations).toEqual([])
  expect(await refund(workspace)).toMatchObject({
    error: { message: expect.not.stringContaining(':') },
  })
  await workspace.beginTurn()
  expect(workspace.state.answers).toEqual([])
  expect(asked(await refund(workspace))).not.toBe(id)
})
