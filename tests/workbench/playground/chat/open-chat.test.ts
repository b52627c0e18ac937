import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type {
  ChatAnswer,
  ChatEvent,
  ChatQuestion,
} from '../../../../src/workbench/playground/chat/chat-event.ts'
import { openChatStore } from '../../../../src/workbench/playground/chat/chat-store.ts'
import { configuredModel, openChat } from '../../../../src/workbench/playground/chat/open-chat.ts'
import {
  requestsOf,
  type Said,
  scriptedModel,
} from '../../../connections/wires/ai-sdk/scripted-model.ts'

const paid: number[] = []

const pay = defineTool({
  name: 'pay_back',
  description: 'Pay an order back.',
  category: 'action',
  risk: 'destructive',
  inputSchema: z.object({ number: z.number() }),
  execute: ({ number }) => {
    paid.push(number)
    return { paid: number }
  },
  preview: ({ number }) => `Pays 42 EUR for the order ${number}.`,
})
const catalog = await createCatalog({ tools: [pay] })

/** Opens a chat with a model of a configuration that says these things. */
async function open(
  said: readonly Said[],
  ask: (asked: ChatQuestion) => Promise<ChatAnswer | null>,
) {
  const workspace = await VirtualWorkspace.open({
    catalog,
    confirmations: { keepArguments: true },
  })
  const model = scriptedModel(said)
  const { chat } = openChat({
    workspace,
    store: openChatStore(null, workspace.session),
    model: configuredModel(model),
    ask,
  })
  const say = async (text: string, signal = new AbortController().signal) => {
    const events: ChatEvent[] = []
    for await (const event of chat.say(text, signal)) events.push(event)
    return events
  }
  return { workspace, model, say }
}

const call = (id: string, number: number): Said => [{ id, tool: 'pay_back', input: { number } }]

test('the model of the configuration answers, and the question has the risk and the preview of the call', async () => {
  const asked: ChatQuestion[] = []
  const { say, workspace } = await open([call('a', 7), 'Paid.'], async (question) => {
    asked.push(question)
    return 'call'
  })
  const events = await say('Pay it.')
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe(
    'Paid.',
  )
  expect(asked).toMatchObject([
    { tool: 'pay_back', risk: 'destructive', about: 'Pays 42 EUR for the order 7.' },
  ])
  expect(paid.splice(0)).toEqual([7])
  await workspace.close()
})

test('the price of each step is that of the log', async () => {
  const { say, workspace } = await open([call('a', 7), 'Paid.', 'Yes.'], async () => 'session')
  const events = [...(await say('Pay it.')), ...(await say('Is it paid?'))]
  const steps = events.flatMap((event) => (event.type === 'step.begun' ? [event] : []))
  const entries = await workspace.entries()
  const begun = entries.flatMap(({ event }) => (event.type === 'step.begun' ? [event] : []))
  expect(steps.map(({ cost }) => cost)).toEqual(begun.map(({ cost }) => cost))
  expect(steps.map(({ tools }) => tools)).toEqual(
    begun.map(({ exposed }) => exposed.map(({ name }) => name)),
  )
  expect(steps).toHaveLength(3)
  paid.length = 0
  await workspace.close()
})

test('a denied call does not run, and the model answers', async () => {
  const { say, workspace } = await open([call('a', 7), 'Not paid.'], async () => 'no')
  const events = await say('Pay it.')
  expect(events.at(-1)).toEqual({ type: 'turn.ended', status: 'done', steps: 2 })
  expect(paid).toEqual([])
  await workspace.close()
})

test('a person who ends the turn at a question denies it, and the next message is answered', async () => {
  const turn = new AbortController()
  const { say, workspace, model } = await open([call('a', 7), 'Hello.'], async () => {
    turn.abort()
    return null
  })
  const events = await say('Pay it.', turn.signal)
  expect(events.at(-1)).toMatchObject({ status: 'interrupted' })
  const next = await say('Hello?')
  expect(next.at(-1)).toMatchObject({ status: 'done' })
  expect(paid).toEqual([])
  expect(workspace.state.confirmations.filter(({ consent }) => consent === 'pending')).toEqual([])
  expect(requestsOf(model)).toHaveLength(2)
  await workspace.close()
})
