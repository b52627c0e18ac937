import type { InputRequest, InputRequests, ServerContext } from '@modelcontextprotocol/server'
import type {
  ClientRoot,
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from '../../../entries/adapter.ts'
import type { JsonValue } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import type { AskingClient } from './mcp-serving.ts'
import { readOutputSchema } from '../../../schema/interpreter/read-schema.ts'
import type { McpSdk } from './mcp-sdk.ts'
import { samplingBlock, samplingPart } from './served-result.ts'

/** The capabilities that a client declared. */
export interface Declared {
  readonly elicitation?: { readonly form?: object; readonly url?: object }
  readonly sampling?: object
  readonly roots?: object
}

/** A question that waits for the client. */
interface Question {
  readonly request: InputRequest
  /** Returns true for an answer that is taken; the question is asked again after any other. */
  take(answer: unknown): Promise<boolean>
}

/** A client, for the work of one of its requests. */
export type ClientAccess = Pick<ClientExchange<unknown>, 'client' | 'signal' | 'confirm'>

/** The end of a round: the result, or questions to the client. */
export type Round<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'questions'; readonly questions: InputRequests }

/**
 * One request of a client whose work may ask the client, over several rounds. The work goes on in this process
 * while the client collects answers; its next request brings them and takes the place of the one before.
 */
export class ClientExchange<Result> {
  readonly client: AskingClient
  readonly #sdk: McpSdk
  readonly #aborting = new AbortController()
  readonly #questions = new Map<string, Question>()
  readonly #work: Promise<Round<Result>>
  #context: ServerContext
  /** Answers that came before their question. */
  #given: Readonly<Record<string, unknown>>
  #asked = Promise.withResolvers<void>()
  #number = 0
  #progress = 0

  constructor(
    sdk: McpSdk,
    context: ServerContext,
    declared: Declared,
    work: (access: ClientAccess) => Promise<Result>,
  ) {
    this.#sdk = sdk
    this.#context = context
    this.#given = context.mcpReq.inputResponses ?? {}
    this.client = this.#clientOf(declared)
    this.#work = Promise.resolve()
      .then(() => work(this))
      .then((result) => ({ kind: 'result', result }))
    this.#work.catch(() => undefined)
  }

  /** Aborted when the client gives the request up, and when nobody brings the answers. */
  get signal(): AbortSignal {
    return this.#aborting.signal
  }

  abort(reason: unknown): void {
    this.#aborting.abort(reason)
  }

  /** Continues with the next request of the client, which has the answers. */
  async resume(context: ServerContext): Promise<void> {
    this.#context = context
    this.#given = context.mcpReq.inputResponses ?? {}
    for (const [key, question] of this.#questions) {
      const answer = this.#given[key]
      if (answer !== undefined && (await question.take(answer))) this.#questions.delete(key)
    }
    if (this.#questions.size > 0) this.#ask()
  }

  /** Waits for the result, or for questions. Rejects with what the work throws. */
  async next(): Promise<Round<Result>> {
    const { signal } = this.#context.mcpReq
    const onAbort = () => this.abort(signal.reason)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    try {
      const asked = this.#asked.promise.then(() => ({ kind: 'questions' as const, questions: {} }))
      const round = await Promise.race([this.#work, asked])
      if (round.kind === 'result') return round
      this.#asked = Promise.withResolvers<void>()
      const questions = [...this.#questions].map(([key, { request }]) => [key, request] as const)
      return { kind: 'questions', questions: Object.fromEntries(questions) }
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /**
   * Asks a person a question of the host, such as a confirmation. Unlike those of handlers, it is never answered by
   * what the client sent before it was asked.
   */
  confirm(question: Extract<Elicitation, { schema: unknown }>): Promise<ElicitationAnswer> {
    return this.#elicit(question, undefined, this.signal)
  }

  #clientOf({ elicitation, sampling, roots }: Declared): AskingClient {
    const canOpen = elicitation?.url !== undefined
    return {
      ...(elicitation && {
        elicit: (question, signal) =>
          'url' in question && !canOpen
            ? Promise.reject(new Error('The client opens no pages for questions.'))
            : this.#elicit(question, question.key, signal),
      }),
      ...(sampling && { sample: (request, signal) => this.#sample(request, signal) }),
      ...(roots && { roots: (signal) => this.#roots(signal) }),
      progress: ({ message, fraction }) => {
        const { _meta: { progressToken } = {}, notify } = this.#context.mcpReq
        if (progressToken === undefined) return
        this.#progress = fraction ?? this.#progress + 1
        const update = {
          progress: this.#progress,
          ...(fraction !== undefined && { total: 1 }),
          ...(message !== undefined && { message }),
        }
        const params = { progressToken, ...update }
        void notify({ method: 'notifications/progress', params }).catch(() => undefined)
      },
      log: ({ level, data, logger }) => {
        void this.#context.mcpReq.log(level, data, logger).catch(() => undefined)
      },
    }
  }

  async #elicit(
    question: Elicitation,
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const { message } = question
    const { inputRequired } = this.#sdk
    const request =
      'url' in question
        ? inputRequired.elicitUrl({ message, url: question.url })
        : inputRequired.elicit({ message, requestedSchema: question.schema as never })
    const read = async (answer: unknown): Promise<ElicitationAnswer | null> => {
      const view = this.#sdk.inputResponse({ answer }, 'answer')
      if (view.kind !== 'elicit') return null
      if (view.action !== 'accept') return { action: view.action }
      const content = (view.content ?? {}) as Readonly<Record<string, JsonValue>>
      if ('url' in question) return { action: 'accept', content }
      const parsed = await readOutputSchema(question.schema).parse(content)
      return parsed.ok ? { action: 'accept', content } : null
    }
    return this.#question(key, request, signal, read)
  }

  #sample({ messages, maxTokens, system, temperature, key }: SamplingRequest, signal: AbortSignal) {
    const request = this.#sdk.inputRequired.createMessage({
      messages: messages.map(({ role, content }) => ({ role, content: samplingBlock(content) })),
      maxTokens,
      ...(system !== undefined && { systemPrompt: system }),
      ...(temperature !== undefined && { temperature }),
    })
    return this.#question(key, request, signal, (answer): SamplingAnswer | null => {
      if (!isObject(answer)) return null
      const content = samplingPart(answer['content'])
      if (content === null || typeof answer['model'] !== 'string') return null
      const { model, stopReason } = answer as { model: string; stopReason?: string }
      return { model, content, ...(stopReason !== undefined && { stopReason }) }
    })
  }

  #roots(signal: AbortSignal) {
    const request = this.#sdk.inputRequired.listRoots()
    return this.#question(undefined, request, signal, (answer): readonly ClientRoot[] | null => {
      const view = this.#sdk.inputResponse({ answer }, 'answer')
      if (view.kind !== 'roots') return null
      return view.roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) }))
    })
  }

  /** Asks a question, unless the client sent its answer already. Questions of the same moment are asked together. */
  async #question<Answer>(
    given: string | undefined,
    request: InputRequest,
    over: AbortSignal,
    read: (answer: unknown) => Answer | null | Promise<Answer | null>,
  ): Promise<Answer> {
    const sent = given === undefined ? undefined : this.#given[given]
    const early = sent === undefined ? null : await read(sent)
    if (early !== null) return early
    this.#number += 1
    const isFree = given !== undefined && !this.#questions.has(given)
    const key = isFree ? given : `question-${this.#number}`
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#questions.set(key, {
      request,
      take: async (answer) => {
        const taken = await read(answer)
        if (taken !== null) resolve(taken)
        return taken !== null
      },
    })
    const signal = AbortSignal.any([this.signal, over])
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    this.#ask()
    return promise.finally(() => {
      signal.removeEventListener('abort', onAbort)
      this.#questions.delete(key)
    })
  }

  #ask(): void {
    const { resolve } = this.#asked
    setImmediate(() => {
      if (this.#questions.size > 0) resolve()
    })
  }
}
