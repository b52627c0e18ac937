import type { Anthropic } from '@anthropic-ai/sdk'
import type {
  BetaMessage,
  BetaMessageParam,
  BetaRawMessageStreamEvent,
  BetaTextBlockParam,
  BetaToolUnion,
  MessageCreateParamsNonStreaming as BetaCreateParams,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type {
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
  RawMessageStreamEvent,
  TextBlockParam,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages/messages'
import {
  type Answered,
  type AnsweredCall,
  type AnswerOptions,
  type Carried,
  type ConversationOptions,
  type ConversationRun,
  providerName,
  type RunOptions,
  toolsInResult,
} from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { checkOptions, type OptionsOf, wellFormed } from '../../../entries/kit.ts'
import { anthropicForm, piecesOf } from './anthropic-form.ts'
import { readAnswer, toolResult } from './read-answer.ts'
import { type RequestOptions, writeRequest } from './write-request.ts'
import {
  type GroupedHistory,
  groupHistory,
  type HistoryForm,
} from '../../../workspace/conversation/group-history.ts'
import {
  CONVERSATION_OPTIONS,
  type ConversationOptions,
  ModelConversation,
} from '../../../workspace/conversation/model-conversation.ts'
import { toolsInResult } from '../../../workspace/offer/conversation/history-message.ts'
import type { Carried } from '../../../workspace/offer/exposure/plan-exposure.ts'
import {
  type Answered,
  answeredItems,
  isBadRequest,
  runConversation,
  type RunOptions,
} from '../../../workspace/conversation/run-conversation.ts'
import type { VirtualWorkspace } from '../../../workspace/virtual-workspace.ts'
import { checkOptions, type OptionsOf } from '../../../kernel/check-options.ts'

/** The types of the two Messages APIs: `client.beta.messages`, and `client.messages`. */
export interface AnthropicApis {
  beta: {
    message: BetaMessageParam
    answer: BetaMessage
    system: BetaTextBlockParam
    tool: BetaToolUnion
    params: BetaCreateParams
    event: BetaRawMessageStreamEvent
    client: { readonly beta: { readonly messages: Sender<Anthropic['beta']['messages']> } }
  }
  stable: {
    message: MessageParam
    answer: Message
    system: TextBlockParam
    tool: ToolUnion
    params: MessageCreateParamsNonStreaming
    event: RawMessageStreamEvent
    client: { readonly messages: Sender<Anthropic['messages']> }
  }
}

type Sender<Messages extends Record<'create' | 'stream', unknown>> = Pick<
  Messages,
  'create' | 'stream'
>

/** `beta` for `client.beta.messages`, `stable` for `client.messages`. */
export type AnthropicApi = keyof AnthropicApis

/** Options of `forAnthropic`. All are optional. */
export interface AnthropicOptions<Api extends AnthropicApi = 'beta'> extends ConversationOptions {
  /** The API that the requests are for; `beta` by default. */
  readonly api?: Api
  /** The model. Without it, tools are never added in the conversation: not all models take that. */
  readonly model?: string
  /** Your own system text; that of the workspace follows it. */
  readonly system?: string
  /** Tools that the provider runs, such as its web search. They are sent first. */
  readonly tools?: readonly AnthropicApis[Api]['tool'][]
  /** The time for which the provider caches; five minutes by default. False for no breakpoints. */
  readonly cache?: '5m' | '1h' | false
}

const OPTIONS: OptionsOf<AnthropicOptions> = {
  ...CONVERSATION_OPTIONS,
  api: ['beta', 'stable'],
  model: 'text',
  system: 'text',
  tools: 'list',
  cache: ['5m', '1h', false],
}

/** The parts of a request that come from the workspace. */
export interface AnthropicRequest<Api extends AnthropicApi = 'beta'> {
  model?: string
  system?: AnthropicApis[Api]['system'][]
  tools: AnthropicApis[Api]['tool'][]
  messages: AnthropicApis[Api]['message'][]
  /** Only where the request has something that needs one. */
  betas?: string[]
  /** The container of a program that waits for the results of its calls. */
  container?: string
}

/** Options of `run`, and the members of a request that do not come from the workspace. */
export type AnthropicRunOptions<Api extends AnthropicApi = 'beta'> = Omit<
  AnthropicApis[Api]['params'],
  keyof AnthropicRequest | 'stream'
> &
  RunOptions & {
    readonly model?: string
    /** Your history. Everything is appended to it as it happens, so that it is complete after an error, too. */
    readonly messages: AnthropicApis[Api]['message'][]
    /** Betas of your own. */
    readonly betas?: readonly string[]
    /** Gets the events of each answer, which is then streamed. */
    readonly onEvent?: (event: AnthropicApis[Api]['event']) => void
  }

/** A workspace in the form of the Messages API. */
export class AnthropicConversation<Api extends AnthropicApi = 'beta'> {
  readonly #options: AnthropicOptions<AnthropicApi>
  readonly #conversation: ModelConversation
  readonly #form: HistoryForm<BetaMessageParam>
  #carries: readonly Carried[]
  #fellBack = false
  #container: string | null = null

  constructor(workspace: VirtualWorkspace, options: AnthropicOptions<Api>) {
    this.#options = options
    this.#conversation = new ModelConversation(workspace, 'anthropic', options)
    this.#form = anthropicForm((sent) => this.#conversation.ownName(sent))
    this.#carries = options.api === 'stable' ? ['deferred'] : ['deferred', 'additions', 'removals']
  }

  /** True when the provider refused a way of changing tools, so that requests no longer have it. */
  get fellBack(): boolean {
    return this.#fellBack
  }

  /**
   * Begins a step and returns the request. Give it your complete history, without what the workspace adds.
   *
   *     const request = await anthropic.next(messages)
   *     const message = await client.beta.messages.create({ model, max_tokens: 4096, ...request })
   */
  async next(messages: readonly AnthropicApis[Api]['message'][]): Promise<AnthropicRequest<Api>> {
    const { model } = this.#options
    const history = this.#read(messages)
    const read = history.groups.map(({ message }, index) =>
      message.role === 'assistant' && index === history.groups.length - 1
        ? { ...message, continues: true }
        : message,
    )
    const step = await this.#conversation.beginStep(read, {
      carries: this.#carries,
      ...(model !== undefined && { model }),
    })
    const defers = this.#carries.includes('deferred')
    const options = this.#options as RequestOptions
    const { betas, system, ...parts } = writeRequest(history, step, defers, options)
    return {
      ...(model !== undefined && { model }),
      ...(system.length > 0 && { system }),
      ...parts,
      ...(betas.length > 0 && { betas }),
      ...(this.#container !== null && { container: this.#container }),
    } as AnthropicRequest<Api>
  }

  /**
   * Runs the calls of an answer through the gate, and returns what to append to your history. The same answer
   * given again, before the next step, runs nothing again.
   */
  async answer(
    message: AnthropicApis[Api]['answer'],
    options: AnswerOptions = {},
  ): Promise<Answered<AnthropicApis[Api]['message']>> {
    const { status, items, calls } = readAnswer(wellFormed(message as BetaMessage))
    const isOfProgram = items.length > 0 && calls.some(({ program }) => program !== undefined)
    this.#container = (isOfProgram && message.container?.id) || null
    const results = await this.#conversation.answer(calls, options)
    // Results without their calls are not valid: of a refused answer, nothing is appended.
    const appended = items.length === 0 ? [] : [...items, ...this.#results(results.answered)]
    return answeredItems(status, appended, results)
  }

  /** Makes the waiting calls of a history after a person's answer, also in another process. */
  async resume(
    messages: readonly AnthropicApis[Api]['message'][],
    options: AnswerOptions = {},
  ): Promise<Answered<AnthropicApis[Api]['message']>> {
    const results = await this.#conversation.resume(this.#read(messages).open, options)
    return answeredItems('continue', this.#results(results.answered), results)
  }

  /**
   * Returns true when the provider refused a request because of a way of changing tools. From then on requests
   * do not have it: make the step again.
   */
  refused(error: unknown): boolean {
    if (!isBadRequest(error)) return false
    const { strategy: used } = this.#conversation.workspace.state
    const refusal = REFUSALS.find((one) => one.strategy === used && one.words.test(error.message))
    if (refusal === undefined) return false
    this.#carries = this.#carries.filter((one) => !refusal.ways.includes(one))
    this.#fellBack = true
    return true
  }

  /**
   * Requests and answers until the model is done, a person is asked, or the answer is cut. After a person's
   * answer, run again with the same messages.
   */
  run(
    client: AnthropicApis[Api]['client'],
    options: AnthropicRunOptions<Api>,
  ): Promise<ConversationRun<AnthropicApis[Api]['answer']>> {
    const { messages, signal, maxSteps: _, onEvent, betas: own = [], ...params } = options
    const { messages: api } = (
      'beta' in client ? client.beta : client
    ) as AnthropicApis['stable']['client']
    const send = (request: AnthropicRequest<Api>): Promise<AnthropicApis[Api]['answer']> => {
      const betas = [...own, ...(request.betas ?? [])]
      const body = { ...params, ...request, ...(betas.length > 0 && { betas }) } as unknown
      const sent = body as MessageCreateParamsNonStreaming
      return onEvent === undefined
        ? api.create(sent, { signal })
        : api.stream(sent, { signal }).on('streamEvent', onEvent).finalMessage()
    }
    return runConversation(this, messages, send, options)
  }

  #read(messages: readonly AnthropicApis[Api]['message'][]): GroupedHistory<BetaMessageParam> {
    return groupHistory((messages as readonly BetaMessageParam[]).flatMap(piecesOf), this.#form)
  }

  /** Returns the message with the results of calls. A tool that they name comes with a reference. */
  #results(answered: readonly AnsweredCall[]): readonly BetaMessageParam[] {
    if (answered.length === 0) return []
    const content = answered.map((one) => {
      const { call, response } = one
      const names = response.ok ? toolsInResult(call.tool, response.data) : []
      const references = names
        .filter((name) => this.#conversation.isDeferred(name))
        .map((name) => providerName(this.#conversation.ownName(name), 'anthropic'))
      return toolResult(one, references)
    })
    return [{ role: 'user', content }]
  }
}

/**
 * Connects a workspace to Anthropic's Messages API. Make one object for each workspace and use it as long as the
 * workspace is open. Nothing of the SDK is loaded.
 */
export function forAnthropic<Api extends AnthropicApi = 'beta'>(
  workspace: VirtualWorkspace,
  options: AnthropicOptions<Api> = {},
): AnthropicConversation<Api> {
  checkOptions(options, OPTIONS)
  return new AnthropicConversation(workspace, wellFormed(options))
}

/** The strategies that not every model takes, with the words by which the provider refuses them. */
const REFUSALS: readonly {
  readonly strategy: string
  readonly words: RegExp
  readonly ways: readonly Carried[]
}[] = [
  {
    strategy: 'conversation',
    words:
      /tool_addition|tool_removal|tool_definition|inline-tools|mid-conversation|role .?system/u,
    ways: ['additions', 'removals'],
  },
  { strategy: 'deferred', words: /defer_loading|tool_reference\b/u, ways: ['deferred'] },
]
