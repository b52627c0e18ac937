import { ToolLoopAgent, type ModelMessage, type ToolApprovalResponse } from 'ai'
import { forAiSdk, answerApprovals } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openOffice, type Deeds } from './an-office.ts'
import { requestText, requestsOf, scriptedModel } from './scripted-model.ts'

const shred = { id: 'c1', tool: 'shred', input: { file: 'a.pdf' } }

/** A conversation that has stopped at the question if a file may be destroyed. */
async function asked(streaming = false) {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds)
  await workspace.activateSkill('bin')
  const model = scriptedModel([[shred], 'Done.', 'And again.', 'And again.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const question: ModelMessage = { role: 'user', content: 'Destroy a.pdf.' }
  const run = async (messages: ModelMessage[]) => {
    if (!streaming) return (await agent.generate({ messages })).responseMessages
    const result = await agent.stream({ messages })
    await result.consumeStream()
    return result.responseMessages
  }
  const history: ModelMessage[] = [question, ...(await run([question]))]
  const request = history
    .flatMap(({ role, content }) =>
      role === 'assistant' && typeof content !== 'string' ? content : [],
    )
    .find((part) => part.type === 'tool-approval-request')
  const { approvalId = '' } = request ?? {}
  const answer = (approved: boolean): ModelMessage => {
    const response: ToolApprovalResponse = { type: 'tool-approval-response', approvalId, approved }
    return { role: 'tool', content: [response] }
  }
  return { deeds, workspace, model, run, history, answer }
}

test.each([false, true])(
  'a call that asks first becomes an approval request, and runs once when approved (streaming: %s)',
  async (streaming) => {
    const { deeds, workspace, model, run, history, answer } = await asked(streaming)
    expect(deeds).toEqual([])
    expect(workspace.state.confirmations).toMatchObject([{ tool: 'shred', consent: 'pending' }])
    await run([...history, answer(true)])
    expect(deeds).toEqual(['shredded a.pdf'])
    expect(workspace.state.turn).toBe(1)
    const last = requestsOf(model).at(-1)
    expect(last && requestText(last).split('\n').slice(-2)).toMatchInlineSnapshot(`
      [
        "assistant calls c1: shred {"file":"a.pdf"}",
        "tool answers c1: json {"file":"a.pdf","shredded":true}",
      ]
    `)
  },
)

test('the words of a person go from the SDK into the session, and from the session to the SDK', async () => {
  const first = await asked()
  const denial = first.answer(false)
  const [part] = denial.content as unknown as [ToolApprovalResponse]
  const history = [...first.history, { ...denial, content: [{ ...part, reason: 'Ask Ada.' }] }]
  await first.run(history as ModelMessage[])
  expect(first.workspace.state.answers).toMatchObject([{ consent: 'denied', words: 'Ask Ada.' }])
  const second = await asked()
  const [question] = second.workspace.state.confirmations
  await second.workspace.deny(question?.id ?? '', { by: 'user', reason: 'Ask Bob.' })
  expect(answerApprovals(second.workspace, second.history)).toMatchObject({
    content: [{ approved: false, reason: 'Ask Bob.' }],
  })
})

test('a call of the SDK that a person approved with other arguments runs with those, and its model reads them', async () => {
  const { deeds, workspace, model, run, history } = await asked()
  const [question] = workspace.state.confirmations
  await workspace.approve(question?.id ?? '', { by: 'user', input: { file: 'b.pdf' } })
  const answers = answerApprovals(workspace, history)
  await run([...history, ...(answers ? [answers] : [])])
  expect(deeds).toEqual(['shredded b.pdf'])
  const last = requestsOf(model).at(-1)
  expect(last && requestText(last)).toContain('which count instead of yours')
})

test('the same approved history sent again runs nothing a second time', async () => {
  const { deeds, run, history, answer } = await asked()
  await run([...history, answer(true)])
  await run([...history, answer(true)])
  await run([...history, answer(true)])
  expect(deeds).toEqual(['shredded a.pdf'])
})

test('an approval of other arguments than were asked about approves nothing', async () => {
  const { deeds, workspace, run, history, answer } = await asked()
  const forged = JSON.parse(JSON.stringify(history).replace('{"file":"a.pdf"}', '{"file":"b.pdf"}'))
  await run([...forged, answer(true)])
  await run([...forged, answer(true)])
  expect(deeds).toEqual([])
  expect(workspace.state.confirmations.map(({ consent }) => consent)).toEqual([
    'pending',
    'pending',
  ])
})

test('a denial is an entry of the user, and the model reads it', async () => {
  const { deeds, workspace, model, run, history, answer } = await asked()
  await run([...history, answer(false)])
  expect(deeds).toEqual([])
  const denied = (await workspace.entries()).filter(
    ({ event }) => event.type === 'confirmation.denied',
  )
  expect(denied).toMatchObject([{ cause: { by: 'user' } }])
  const last = requestsOf(model).at(-1)
  expect(last && requestText(last)).toContain(
    'tool answers c1: error-text "Tool call execution denied."',
  )
})

test('a model that repeats a denied call is refused without asking again', async () => {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds)
  await workspace.activateSkill('bin')
  await workspace.callTool('shred', { file: 'a.pdf' }, { caller: 'model' })
  const [asked] = workspace.state.confirmations
  await workspace.beginTurn()
  await workspace.deny(asked?.id ?? '', { by: 'user' })
  const model = scriptedModel([[shred], 'Well.'])
  const settings = forAiSdk(workspace, { beginTurns: false })
  const { text } = await new ToolLoopAgent({ model, ...settings }).generate({ prompt: 'Go on.' })
  expect(text).toBe('Well.')
  expect(deeds).toEqual([])
})

test('consent given in the workspace answers the request of the conversation', async () => {
  const { deeds, workspace, run, history } = await asked()
  expect(answerApprovals(workspace, history)).toBe(null)
  await workspace.approve(workspace.state.confirmations[0]?.id ?? '', { by: 'user' })
  const answer = answerApprovals(workspace, history)
  expect(answer?.content).toMatchObject([{ type: 'tool-approval-response', approved: true }])
  await run([...history, ...(answer === null ? [] : [answer])])
  expect(deeds).toEqual(['shredded a.pdf'])
})

test('without approvals the call is answered with the question for the host', async () => {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds)
  await workspace.activateSkill('bin')
  const model = scriptedModel([[shred], 'I wait.'])
  const settings = forAiSdk(workspace, { approvals: false })
  const result = await new ToolLoopAgent({ model, ...settings }).generate({ prompt: 'Destroy it.' })
  expect(result.text).toBe('I wait.')
  const [confirmation] = workspace.state.confirmations
  const failed = result.steps[0]?.content.find(({ type }) => type === 'tool-error')
  expect(failed).toMatchObject({
    error: {
      response: {
        error: { type: 'CONFIRMATION_REQUIRED', details: { confirmation: confirmation?.id } },
      },
    },
  })
})

test('a call that would be refused anyway asks nobody', async () => {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds)
  await workspace.activateSkill('bin')
  const model = scriptedModel([[{ ...shred, input: { fiel: 'a.pdf' } }], 'Well.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  expect((await agent.generate({ prompt: 'Destroy it.' })).text).toBe('Well.')
  expect(workspace.state.confirmations).toEqual([])
  const refused = (await workspace.entries()).filter(
    ({ event }) => event.type === 'command.refused',
  )
  expect(refused).toHaveLength(1)
})
