import { isStepCount, type ModelMessage, ToolLoopAgent } from 'ai'
import { createCatalog, createMemoryLog, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { requestsOf, scriptedModel } from './scripted-model.ts'

/** A clock that a test moves. */
function handClock() {
  const clock = { at: 1_000_000, now: () => clock.at, monotonic: () => clock.at }
  return clock
}

test.each([false, true])(
  'a yes that comes too late ends the run with the question again (streamed: %s)',
  async (streams) => {
    const clock = handClock()
    const ran: unknown[] = []
    const cancel = defineTool({
      name: 'cancel',
      description: 'Cancels an order.',
      category: 'action',
      requiresConfirmation: true,
      inputSchema: { type: 'object', properties: { order: { type: 'integer' } } },
      execute: (input) => void ran.push(input),
    })
    const workspace = await VirtualWorkspace.open({
      catalog: await createCatalog({ tools: [cancel] }),
      log: createMemoryLog(),
      session: 's',
      limits: { confirmationMs: 1_000 },
      testing: { clock },
    })
    const model = scriptedModel([[{ id: 'c1', tool: 'cancel', input: { order: 3 } }], 'Cancelled.'])
    const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace), stopWhen: isStepCount(3) })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Cancel order 3.' }]
    const run = async () => {
      const answer = streams ? await agent.stream({ messages }) : await agent.generate({ messages })
      if ('textStream' in answer) await (answer.consumeStream() as PromiseLike<void>)
      const fresh = await answer.responseMessages
      messages.push(...fresh)
      const requests = fresh.flatMap(({ role, content }) =>
        role !== 'assistant' || typeof content === 'string'
          ? []
          : content.filter((part) => part.type === 'tool-approval-request'),
      )
      return requests
    }
    const yes = (approvalId: string) => {
      const content = [{ type: 'tool-approval-response' as const, approvalId, approved: true }]
      messages.push({ role: 'tool', content })
    }
    const [first] = await run()
    clock.at += 2_000
    yes(first?.approvalId ?? '')
    const [again, ...others] = await run()
    expect(others).toEqual([])
    expect(again?.approvalId).not.toBe(first?.approvalId)
    expect([ran, requestsOf(model).length]).toEqual([[], 1])
    expect(workspace.state.confirmations).toHaveLength(1)
    // Nothing was sent, so the ledger has no request.
    expect(workspace.state.step).toBe(1)
    yes(again?.approvalId ?? '')
    expect(await run()).toEqual([])
    expect(ran).toEqual([{ order: 3 }])
    expect(requestsOf(model)).toHaveLength(2)
  },
)

test('a question of a session with a log of its host waits as long as the session, in each process', async () => {
  const clock = handClock()
  const cancel = defineTool({
    name: 'cancel',
    description: 'Cancels an order.',
    category: 'action',
    requiresConfirmation: true,
    execute: () => 'cancelled',
  })
  const catalog = await createCatalog({ tools: [cancel] })
  const log = createMemoryLog()
  const open = () => VirtualWorkspace.open({ catalog, log, session: 's', testing: { clock } })
  const asking = await open()
  const asked = await asking.callTool('cancel', {}, { caller: 'model' })
  expect(asked.ok).toBe(false)
  clock.at += 400 * 86_400_000
  const answering = await open()
  const [question] = answering.state.confirmations
  await answering.approve(question?.id ?? '')
  expect(await answering.callTool('cancel', {}, { caller: 'model' })).toMatchObject({ ok: true })
})
