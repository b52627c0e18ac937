import { mkdtempSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import type { ChatEvent } from '../../../../src/workbench/playground/chat/chat-event.ts'
import { chatFile, openChatStore } from '../../../../src/workbench/playground/chat/chat-store.ts'
import { configuredModel, openChat } from '../../../../src/workbench/playground/chat/open-chat.ts'
import { aTool, aWorkspace } from '../../../workspace/a-workspace.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

type Part = LanguageModelV4StreamPart

const finish: Part = { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage }

const call = (at: number, bytes = 0): Part => ({
  type: 'tool-call',
  toolCallId: `c${at}`,
  toolName: 'calm',
  input: JSON.stringify({ at, text: 'x'.repeat(bytes) }),
})

/** The answers of a model, of which some have no end. */
const ANSWERS: Readonly<Record<string, (step: number) => Generator<Part>>> = {
  *'text without an end'() {
    yield { type: 'text-start', id: '0' }
    for (;;) yield { type: 'text-delta', id: '0', delta: 'x'.repeat(1_000) }
  },
  *'reasoning without an end'() {
    yield { type: 'reasoning-start', id: '0' }
    for (;;) yield { type: 'reasoning-delta', id: '0', delta: 'x'.repeat(1_000) }
  },
  *'arguments without an end'() {
    yield { type: 'tool-input-start', id: 'c', toolName: 'calm' }
    for (;;) yield { type: 'tool-input-delta', id: 'c', delta: 'x'.repeat(1_000) }
  },
  *'5,000 calls'() {
    for (let at = 0; at < 5_000; at += 1) yield call(at)
    yield finish
  },
  *'a long call in each answer'(step) {
    yield call(step, 200_000)
    yield { ...finish, finishReason: { unified: 'tool-calls', raw: undefined } } as Part
  },
  *'128 calls'(step) {
    if (step === 0) for (let at = 0; at < 128; at += 1) yield call(at)
    yield finish
  },
}

/** Lets a model answer a message. Returns what happened, and the calls that ran. */
async function answered(kind: string, folder = mkdtempSync(join(tmpdir(), 'floods-'))) {
  let step = 0
  let ran = 0
  const tool = aTool('calm', {
    inputSchema: { type: 'object', properties: { at: {}, text: {} } },
    category: 'retrieval',
    execute: () => (ran += 1),
  })
  const workspace = await aWorkspace({ tools: [tool] }, { session: 's' })
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: ReadableStream.from(ANSWERS[kind]?.((step += 1) - 1) ?? []) }),
  })
  const open = () => openChatStore({ folder, user: null }, 's')
  const parts = { workspace, store: open(), model: configuredModel(model), ask: async () => null }
  const events: ChatEvent[] = []
  for await (const event of openChat(parts).chat.say('Go.', new AbortController().signal)) {
    events.push(event)
  }
  await workspace.close()
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event] : []))
  return { ran, notices, end: events.at(-1), bytes: statSync(chatFile(folder, 's')).size, open }
}

test.each([
  { kind: 'text without an end', over: 'over 732.4 kB of an answer', ran: 0, most: 1_000 },
  { kind: 'reasoning without an end', over: 'over 732.4 kB of an answer', ran: 0, most: 1_000 },
  { kind: 'arguments without an end', over: 'over 732.4 kB of an answer', ran: 0, most: 1_000 },
  { kind: '5,000 calls', over: 'over 128 calls in an answer', ran: 0, most: 1_000 },
  {
    kind: 'a long call in each answer',
    over: 'over 976.6 kB of answers to one message',
    ran: 4,
    most: 2_000_000,
  },
])('a model that answers with $kind is stopped, and the chat opens again', async (one) => {
  const { ran, notices, end, bytes, open } = await answered(one.kind)
  expect(notices).toEqual([
    expect.objectContaining({ code: 'MODEL_FLOODS', message: `The model sent ${one.over}.` }),
  ])
  expect(end).toMatchObject({ type: 'turn.ended', status: 'failed' })
  expect(ran).toBe(one.ran)
  expect(bytes).toBeLessThan(one.most)
  expect(open().messages[0]).toEqual({ role: 'user', content: 'Go.' })
})

test('a model may make 128 calls in an answer', async () => {
  expect(await answered('128 calls')).toMatchObject({ ran: 128, notices: [] })
})

test('a conversation that is too large to be read says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'floods-'))
  writeFileSync(chatFile(folder, 's'), '')
  truncateSync(chatFile(folder, 's'), 700_000_000)
  expect(() => openChatStore({ folder, user: null }, 's')).toThrow(
    expect.objectContaining({
      code: 'CHAT_TOO_LARGE',
      message: `The file of the conversation has over 128 MB of messages: ${chatFile(folder, 's')}`,
    }),
  )
})
