import { createMemoryLog, defineTool } from 'loadout'
import { expect, test } from 'vitest'
import { CallFates } from '../../../src/workspace/conversation/call-fates.ts'
import { aWorkspace } from '../a-workspace.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pay a bill.',
  category: 'action',
  requiresConfirmation: true,
  inputSchema: { type: 'object' },
  execute: () => 'paid',
})

const read = defineTool({
  name: 'read',
  category: 'retrieval',
  description: 'Read.',
  execute: () => 'text',
})

const send = defineTool({
  name: 'send',
  description: 'Send.',
  category: 'action',
  execute: () => 'sent',
})

const hang = defineTool({
  name: 'hang',
  category: 'action',
  description: 'Wait.',
  execute: () => new Promise(() => undefined),
})

const choose = defineTool({ name: 'choose', description: 'Ask the user.', client: true })

async function aSession() {
  const log = createMemoryLog()
  const tools = [pay, read, send, hang, choose]
  const options = { log, session: 's', limits: { confirmationMs: 60_000 } }
  const workspace = await aWorkspace({ tools }, options)
  const make = (tool: string, call: string, input: unknown = {}, more = {}) =>
    workspace.callTool(tool, input, { caller: 'model', call, ...more })
  const fate = async (tool: string, id: string, input: unknown = {}, more = {}) => {
    const texts = await new CallFates(workspace).missing([{ id, tool, input, ...more }])
    return JSON.parse(texts.get(id)?.text ?? '') as Record<string, unknown>
  }
  await workspace.beginStep()
  return { workspace, make, fate }
}

test('the sentence of a question follows its answer', async () => {
  const { workspace, make, fate } = await aSession()
  await make('pay', 'c1')
  const id = workspace.state.confirmations[0]?.id ?? ''
  const waits = { status: 'waiting', message: expect.stringContaining('has not run') }
  expect(await fate('pay', 'c1')).toMatchObject(waits)
  await workspace.approve(id)
  expect(await fate('pay', 'c1')).toMatchObject({
    message: expect.stringContaining('A person approved'),
  })
  await workspace.deny(id, { reason: 'Ask Ada.' })
  const denied = { error: 'DENIED', message: 'A person denied this call of "pay": Ask Ada.' }
  expect(await fate('pay', 'c1')).toEqual(denied)
  // The same in later turns, so that requests keep their bytes.
  await workspace.beginTurn()
  expect(await fate('pay', 'c1')).toEqual(denied)
})

test('only a call that may have acted says so', async () => {
  const { workspace, make, fate } = await aSession()
  await make('read', 'ran')
  await make('send', 'sent')
  await make('nothing', 'refused')
  await make('read', 'stopped', {}, { stopped: 'The answer was stopped (content_filter).' })
  await make('choose', 'client')
  const stop = new AbortController()
  const hanging = make('hang', 'aborted', {}, { signal: stop.signal })
  await expect.poll(() => workspace.state.calls).toHaveLength(1)
  expect(await fate('hang', 'aborted')).toMatchObject({ status: 'waiting' })
  stop.abort()
  await hanging
  expect(await fate('choose', 'client')).toMatchObject({ status: 'waiting' })
  const told = {
    ran: await fate('read', 'ran'),
    sent: await fate('send', 'sent'),
    refused: await fate('nothing', 'refused'),
    stopped: await fate('read', 'stopped'),
    client: await fate('choose', 'client', {}, { isPassedOver: true }),
    aborted: await fate('hang', 'aborted'),
    unknown: await fate('read', 'unknown'),
  }
  expect(
    Object.entries(told).map(([name, { error, partialSideEffects = false }]) => [
      name,
      error,
      partialSideEffects,
    ]),
  ).toEqual([
    ['ran', 'ABORTED', false],
    ['sent', 'ABORTED', true],
    ['refused', 'NOT_FOUND', false],
    ['stopped', 'ABORTED', false],
    ['client', 'ABORTED', false],
    ['aborted', 'ABORTED', true],
    ['unknown', 'ABORTED', true],
  ])
})

test('a question that nobody answered in time was no call', async () => {
  const clock = { wall: 1_000_000, now: () => clock.wall, monotonic: () => clock.wall }
  const workspace = await aWorkspace({ tools: [pay] }, { testing: { clock } })
  await workspace.callTool('pay', {}, { caller: 'model', call: 'c1' })
  clock.wall += 3_600_000
  await workspace.beginTurn()
  const texts = await new CallFates(workspace).missing([{ id: 'c1', tool: 'pay', input: {} }])
  expect(texts.get('c1')).toEqual({
    text: '{"error":"ABORTED","message":"Nobody approved this call in time, so it was not made. Make it again if it is still needed."}',
    isError: true,
  })
})
