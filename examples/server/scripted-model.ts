import { randomUUID } from 'node:crypto'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

/** What the model says at one step: a text, or one call. */
type Said = string | { readonly tool: string; readonly input: object }

/** What a tool answered since the user spoke last. */
interface Result {
  readonly tool: string
  readonly isError: boolean
  readonly value: unknown
}

/**
 * A clerk that needs no key: it says what follows from the conversation alone, as a model does, so
 * it does not matter which process asks it.
 */
export function scriptedModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'clerk',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('This model only streams.')),
    async doStream({ prompt, tools = [] }: LanguageModelV4CallOptions) {
      const said = next(prompt, new Set(tools.map(({ name }) => name)))
      return { stream: ReadableStream.from(parts(said)) }
    },
  }
}

function next(prompt: LanguageModelV4Prompt, tools: ReadonlySet<string>): Said {
  const { order, wantsMoney, results } = situation(prompt)
  if (order === null) return 'Which order is it about?'
  const skill = wantsMoney ? 'refunds' : 'orders'
  if (!tools.has(wantsMoney ? 'refund' : 'findOrder')) {
    return { tool: 'loadSkill', input: { skillName: skill } }
  }
  const last = results.at(-1)
  const find: Said = { tool: 'findOrder', input: { order } }
  if (last?.tool === 'refund') {
    // An error tells nothing of whether it was paid: the shop knows.
    return last.isError ? find : refunded(last.value, order)
  }
  if (last?.tool !== 'findOrder' || last.isError) return find
  const { paid, paidBack } = last.value as { paid: number; paidBack: boolean }
  if (!wantsMoney) return `You paid ${paid} for order ${order}.`
  return paidBack ? `Order ${order} was paid back.` : { tool: 'refund', input: { order } }
}

function refunded(value: unknown, order: string): string {
  const isPaid = typeof value === 'object' && value !== null && 'paidBack' in value
  return isPaid ? `Order ${order} was paid back.` : `Order ${order} stays as it is.`
}

/** What the user wants, and what was done for it. Messages of the workspace name no order. */
function situation(prompt: LanguageModelV4Prompt) {
  let order: string | null = null
  let wantsMoney = false
  let results: Result[] = []
  for (const message of prompt) {
    if (message.role === 'user') {
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const named = /^(Where|Money back).*order (\d+)/.exec(text)
      if (named === null) continue
      order = named[2] ?? null
      wantsMoney = named[1] === 'Money back'
      results = []
    }
    if (message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue
      const { output, toolName: tool } = part
      const value = 'value' in output ? output.value : null
      // A person's no is an error to the model, and leaves nothing to find out.
      const isError = output.type.startsWith('error') && !/\bdenied\b/.test(String(value))
      results.push({ tool, isError, value })
    }
  }
  return { order, wantsMoney, results }
}

function* parts(said: Said): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  if (typeof said === 'string') {
    yield { type: 'text-start', id: '1' }
    for (const word of said.match(/\S+\s*/g) ?? [])
      yield { type: 'text-delta', id: '1', delta: word }
    yield { type: 'text-end', id: '1' }
  } else {
    const { tool, input } = said
    yield {
      type: 'tool-call',
      toolCallId: randomUUID(),
      toolName: tool,
      input: JSON.stringify(input),
    }
  }
  const unified = typeof said === 'string' ? 'stop' : 'tool-calls'
  const tokens = {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  }
  const outputTokens = { total: undefined, text: undefined, reasoning: undefined }
  yield {
    type: 'finish',
    finishReason: { unified, raw: undefined },
    usage: { inputTokens: tokens, outputTokens },
  }
}
