import type {
  BetaMessage,
  BetaMessageParam,
  BetaRawMessageStreamEvent,
  BetaTextBlockParam,
  BetaTool,
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
import type { ConversationOptions, RunOptions, WireTypes } from '../../../entries/adapter.ts'

/** The types of the two Messages APIs: `client.beta.messages`, and `client.messages`. */
export interface AnthropicApis {
  beta: {
    message: BetaMessageParam
    answer: BetaMessage
    system: BetaTextBlockParam
    tool: BetaToolUnion
    params: BetaCreateParams
    event: BetaRawMessageStreamEvent
    client: { readonly beta: { readonly messages: Sender } }
  }
  stable: {
    message: MessageParam
    answer: Message
    system: TextBlockParam
    tool: ToolUnion
    params: MessageCreateParamsNonStreaming
    event: RawMessageStreamEvent
    client: { readonly messages: Sender }
  }
}

/** The parts of a client that a run uses, of any version. */
interface Sender {
  create(body: never, options?: never): PromiseLike<object>
  stream(body: never, options?: never): object
}

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
  /** True to ask the provider why its cache did not have what was sent before. */
  readonly diagnostics?: boolean
}

/** The parts of a request that come from the workspace. */
export interface AnthropicRequest<Api extends AnthropicApi = 'beta'> {
  model?: string
  system?: AnthropicApis[Api]['system'][]
  tools: AnthropicApis[Api]['tool'][]
  messages: AnthropicApis[Api]['message'][]
  /** Only where the request has something that needs one. */
  betas?: string[]
  /** Only with the option of this name. */
  diagnostics?: { previous_message_id: string | null }
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

/** The types of one of the Messages APIs. */
export interface AnthropicWire<Api extends AnthropicApi = 'beta'> extends WireTypes {
  item: AnthropicApis[Api]['message']
  request: AnthropicRequest<Api>
  answer: AnthropicApis[Api]['answer']
  tool: BetaTool
  options: AnthropicOptions<Api>
  kept: undefined
  client: AnthropicApis[Api]['client']
  run: AnthropicRunOptions<Api>
}
