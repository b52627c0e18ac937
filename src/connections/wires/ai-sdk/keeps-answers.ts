import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { LanguageModelMiddleware } from 'ai'
import type { JsonValue } from '../../../entries/index.ts'
import type { ModelConversation } from '../../../workspace/conversation/model-conversation.ts'

type Part = LanguageModelV4StreamPart

/** Returns an answer that makes calls which nobody asked a model about: of a person who answered too late, and is asked again. */
export function answerOfCalls(
  calls: readonly { readonly tool: string; readonly input: unknown }[],
): JsonValue {
  const content = calls.map(({ tool, input }) => ({
    type: 'tool-call',
    toolCallId: `call_${crypto.randomUUID().replaceAll('-', '')}`,
    toolName: tool,
    input: JSON.stringify(input),
  }))
  return plain({ content, ...END, finishReason: { unified: 'tool-calls', raw: undefined } })
}

const NONE = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }

const END = {
  usage: {
    inputTokens: NONE,
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  },
  warnings: [],
}

/** Returns the middleware that gives an answer which was kept, and sends nothing. */
export function givesAnswer(kept: JsonValue): LanguageModelMiddleware {
  const answer = revived(kept)
  return {
    specificationVersion: 'v4',
    wrapGenerate: async () => answer,
    wrapStream: async () => ({ stream: ReadableStream.from(streamed(answer)) }),
  }
}

/**
 * Returns the middleware that keeps each complete answer before the SDK gets its calls. Texts are streamed as they come;
 * calls wait for the end of their answer.
 */
export function keepsAnswers(
  conversation: ModelConversation,
  calls: { repeats: boolean },
): LanguageModelMiddleware {
  const keep = async (answer: LanguageModelV4GenerateResult) => {
    if (answer.finishReason.unified === 'error') return answer
    const first = await conversation.keepAnswer(answer, plain(answer))
    if (first === answer) return answer
    // Another process was first, and may have asked already.
    calls.repeats = true
    return revived(first as JsonValue)
  }
  return {
    specificationVersion: 'v4',
    wrapGenerate: async ({ doGenerate }) => keep(await doGenerate()),
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream()
      return { ...rest, stream: stream.pipeThrough(keepStream(keep)) }
    },
  }
}

function keepStream(
  keep: (answer: LanguageModelV4GenerateResult) => Promise<LanguageModelV4GenerateResult>,
): TransformStream<Part, Part> {
  const read = new StreamedAnswer()
  const held: Part[] = []
  let isOver = false
  return new TransformStream({
    async transform(part, controller) {
      read.add(part)
      // From the first call on, the parts wait, so that they keep their order.
      const isCall = part.type === 'tool-call' && part.providerExecuted !== true
      if (part.type !== 'finish') {
        if (isCall || held.length > 0) held.push(part)
        else controller.enqueue(part)
        return
      }
      isOver = true
      const own = read.answer(part)
      const answer = read.hasFailed ? own : await keep(own)
      const calls = answer.content.filter((one) => one.type === 'tool-call')
      for (const one of answer === own ? held : calls) controller.enqueue(one)
      controller.enqueue(part)
    },
    flush(controller) {
      // Nothing ran, and the step can be made again.
      if (!isOver) controller.error(new Error('The answer of the model broke off.'))
    },
  })
}

/** An answer as its parts come. */
class StreamedAnswer {
  readonly #content: LanguageModelV4Content[] = []
  readonly #open = new Map<
    string,
    { type: 'text' | 'reasoning'; text: string; providerMetadata?: never }
  >()
  #warnings: LanguageModelV4GenerateResult['warnings'] = []
  #response: LanguageModelV4GenerateResult['response']
  hasFailed = false

  add(part: Part): void {
    switch (part.type) {
      case 'stream-start':
        this.#warnings = part.warnings
        return
      case 'response-metadata': {
        const { type: _, ...response } = part
        this.#response = response
        return
      }
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? ('text' as const) : ('reasoning' as const)
        const open = { type, text: '' }
        this.#open.set(`${type} ${part.id}`, open)
        this.#content.push(open)
        this.#note(type, part)
        return
      }
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        this.#note(part.type.startsWith('text') ? 'text' : 'reasoning', part)
        return
      case 'error':
        this.hasFailed = true
        return
      default:
        if (isContent(part)) this.#content.push(part)
    }
  }

  #note(type: 'text' | 'reasoning', part: object): void {
    const {
      id,
      delta = '',
      providerMetadata,
    } = part as {
      readonly id: string
      readonly delta?: string
      readonly providerMetadata?: never
    }
    const open = this.#open.get(`${type} ${id}`)
    if (open === undefined) return
    open.text += delta
    // That of the last part counts, as for the SDK.
    if (providerMetadata !== undefined) open.providerMetadata = providerMetadata
  }

  answer({ finishReason, usage, providerMetadata }: Extract<Part, { type: 'finish' }>) {
    return {
      content: this.#content,
      finishReason,
      usage,
      warnings: this.#warnings,
      ...(providerMetadata && { providerMetadata }),
      ...(this.#response && { response: this.#response }),
    }
  }
}

const CONTENT: ReadonlySet<string> = new Set([
  'custom',
  'file',
  'reasoning-file',
  'source',
  'tool-approval-request',
  'tool-call',
  'tool-result',
])

function isContent(part: Part): part is Extract<Part, LanguageModelV4Content> {
  return CONTENT.has(part.type)
}

/** Yields the parts in which an answer is streamed. */
function* streamed(answer: LanguageModelV4GenerateResult): Generator<Part> {
  const { content, finishReason, usage, warnings, providerMetadata, response } = answer
  yield { type: 'stream-start', warnings }
  if (response) yield { type: 'response-metadata', ...response }
  for (const [index, part] of content.entries()) {
    if (part.type !== 'text' && part.type !== 'reasoning') {
      yield part
      continue
    }
    const { type, text: delta, providerMetadata: own } = part
    const id = `${index}`
    const about = own && { providerMetadata: own }
    yield { type: `${type}-start`, id, ...about }
    yield { type: `${type}-delta`, id, delta, ...about }
    yield { type: `${type}-end`, id, ...about }
  }
  yield { type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) }
}

/** Returns an answer as plain JSON, without what only its request has. */
function plain(answer: object): JsonValue {
  const { request: _, response, ...rest } = answer as LanguageModelV4GenerateResult
  const { id, modelId, timestamp } = response ?? {}
  return plainJson({ ...rest, ...(response && { response: { id, modelId, timestamp } }) })
}

/** Returns a value as plain JSON, with binary data in base64. */
export function plainJson(value: object): JsonValue {
  const text = JSON.stringify(value, function (this: object, key, member: unknown) {
    // Not the member: a Buffer has a form of its own.
    const own = (this as Readonly<Record<string, unknown>>)[key]
    if (own instanceof ArrayBuffer) return Buffer.from(own).toString('base64')
    return own instanceof Uint8Array ? Buffer.from(own).toString('base64') : member
  })
  return JSON.parse(text) as JsonValue
}

function revived(kept: JsonValue): LanguageModelV4GenerateResult {
  const answer = kept as unknown as LanguageModelV4GenerateResult
  const { timestamp, ...response } = answer.response ?? {}
  if (timestamp === undefined) return answer
  return { ...answer, response: { ...response, timestamp: new Date(timestamp) } }
}
