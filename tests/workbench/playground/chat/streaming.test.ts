import { setImmediate } from 'node:timers/promises'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { afterEach, expect, test, vi } from 'vitest'
import { openChatStore } from '../../../../src/workbench/playground/chat/chat-store.ts'
import { configuredModel, openChat } from '../../../../src/workbench/playground/chat/open-chat.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

afterEach(() => vi.useRealTimers())

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model whose answer comes when a test says it. */
function heldModel() {
  const { readable, writable } = new TransformStream<LanguageModelV4StreamPart>(undefined, {
    highWaterMark: Infinity,
  })
  const writer = writable.getWriter()
  const send = (part: LanguageModelV4StreamPart) => void writer.write(part)
  const model = new MockLanguageModelV4({ doStream: async () => ({ stream: readable }) })
  send({ type: 'stream-start', warnings: [] })
  send({ type: 'text-start', id: '0' })
  return {
    model,
    say: (delta: string) => send({ type: 'text-delta', id: '0', delta }),
    end() {
      send({ type: 'text-end', id: '0' })
      send({ type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage })
      void writer.close()
    },
  }
}

/** Until the parts on their way through the SDK have arrived. */
async function arrived(): Promise<void> {
  for (let round = 0; round < 8; round += 1) await setImmediate()
}

test('while 200 tokens a second arrive, no key is lost, and frames are bounded by keys and by time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { model, say, end } = heldModel()
  const { context } = await aPlayground(undefined, {
    openChat: async ({ workspace, ask, store = openChatStore(null, 'talk') }) =>
      openChat({ workspace, ask, store, model: configuredModel(model) }),
  })
  const press = (stroke: string) => handleStrokes([stroke], context, TABLE)
  const chat = () => context.ui.getState().chat
  await press('>')
  await press('x')
  const turn = press('enter')
  await vi.waitFor(async () => {
    await arrived()
    expect(chat().lines.some(({ kind }) => kind === 'step')).toBe(true)
  })
  let frames = 0
  context.frames.subscribe(() => (frames += 1))
  let typed = ''
  const said: string[] = []
  // Five seconds, in steps of ten milliseconds.
  for (let step = 0; step < 500; step += 1) {
    for (let token = 0; token < 2; token += 1) {
      said.push(`word${said.length}${said.length % 60 === 59 ? '\n' : ' '}`)
      say(said.at(-1) ?? '')
    }
    await arrived()
    if (step % 10 === 0) {
      const letter = String.fromCharCode(97 + (typed.length % 26))
      typed += letter
      await press(letter)
      expect(context.ui.getState().writing?.text).toBe(typed)
    }
    vi.advanceTimersByTime(10)
    await arrived()
  }
  const mostOfTime = Math.ceil(5_000 / 60)
  expect(frames).toBeGreaterThan(mostOfTime / 2)
  expect(frames).toBeLessThanOrEqual(mostOfTime + typed.length)
  end()
  await turn
  const { answer, lines } = chat()
  const texts = lines.filter(({ kind }) => kind === 'model').map(({ text }) => text)
  expect([...texts, answer].join('\n').trim()).toBe(said.join('').trim())
})
