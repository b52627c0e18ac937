import type { OpenAI } from 'openai'
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseIncludable,
  ResponseInputItem,
  ResponseStreamEvent,
  Tool,
} from 'openai/resources/responses/responses'
import { groupHistory, type HistoryForm } from '../../../workspace/conversation/group-history.ts'
import {
  callOutput,
  itemsSinceAnswer,
  readResponse,
  RESPONSES_ITEMS,
  STATELESS_ITEMS,
  writeInput,
  writeTool,
} from './responses-items.ts'
import { CONVERSATION_OPTIONS, ModelConversation } from '../../../workspace/model-conversation.ts'
import {
  CONVERSATION_OPTIONS,
  type ConversationOptions,
  ModelConversation,
} from '../../../workspace/conversation/model-conversation.ts'
import {
  type Answered,
  answeredItems,
  isBadRequest,
  runConversation,
  type RunOptions,
} from '../../../workspace/conversation/run-conversation.ts'
import type { VirtualWorkspace } from '../../../workspace/virtual-workspace.ts'
import { checkOptions, type OptionsOf } from '../../../kernel/check-options.ts'

/** Options of `forOpenAI`. All are optional. */
export interface OpenAIOptions extends ConversationOptions {
  /** The model. Without it, tools are never added in the conversation: not all models take that. */
  readonly model?: string
  /** Your own instructions; those of the workspace follow them. */
  readonly instructions?: string
  /** Tools that the provider runs, such as its web search. They are sent first. */
  readonly tools?: readonly Tool[]
  /** False when the provider must keep nothing: reasoning is then sent back encrypted. */
  readonly store?: boolean
}

const OPTIONS: OptionsOf<OpenAIOptions> = {
  ...CONVERSATION_OPTIONS,
  model: 'text',
  instructions: 'text',
  tools: 'list',
  store: 'switch',
}

/** The history that the provider keeps. */
export type ServerState =
  { readonly previous_response_id: string } | { readonly conversation: string }

/** The parts of a request that come from the workspace. */
export interface OpenAIRequest {
  model?: string
  instructions?: string
  tools: Tool[]
  input: ResponseInputItem[]
  prompt_cache_key: string
  store?: false
  include?: ResponseIncludable[]
  previous_response_id?: string
  conversation?: string
}

/** Options of `run`, and the members of a request that do not come from the workspace. */
export type OpenAIRunOptions = Omit<
  ResponseCreateParamsNonStreaming,
  Exclude<keyof OpenAIRequest, 'include'> | 'stream'
> &
  RunOptions & {
    /** Your history. Everything is appended to it as it happens, so that it is complete after an error, too. */
    readonly input: ResponseInputItem[]
    /** Gets the events of each answer, which is then streamed. */
    readonly onEvent?: (event: ResponseStreamEvent) => void
  }

/** A workspace in the form of the Responses API. */
export class OpenAIConversation {
  readonly #options: OpenAIOptions
  readonly #conversation: ModelConversation
  readonly #form: HistoryForm<ResponseInputItem>
  #adds = true
  /** The ids of the calls in the history of this step. */
  #taken: ReadonlySet<string> = new Set()
  #items = 0

  constructor(workspace: VirtualWorkspace, options: OpenAIOptions) {
    this.#options = options
    this.#form = options.store === false ? STATELESS_ITEMS : RESPONSES_ITEMS
    this.#conversation = new ModelConversation(workspace, 'openai', options)
  }

  /** True when the provider refused tools in the conversation, so that all are sent in `tools`. */
  get fellBack(): boolean {
    return !this.#adds
  }

  /**
   * Begins a step and returns the request. Give it your complete history, without what the workspace adds.
   *
   *     const response = await client.responses.create(await openai.next(input))
   *
   * @param state what the provider keeps of the history: only what it lacks is sent
   */
  async next(input: readonly ResponseInputItem[], state?: ServerState): Promise<OpenAIRequest> {
    const { model, instructions, tools = [], store } = this.#options
    const history = groupHistory(input, this.#form)
    const step = await this.#conversation.beginStep(
      history.groups.map(({ message }) => message),
      { carries: this.#adds ? ['additions'] : [], ...(model !== undefined && { model }) },
    )
    // A provider that keeps the history knows its calls by its own ids.
    this.#taken = state === undefined ? history.calls : new Set()
    this.#items = input.length
    const complete = writeInput(history, step.messages, store !== false)
    const system = [instructions ?? '', step.instructions].filter((text) => text !== '')
    return {
      ...(model !== undefined && { model }),
      ...(system.length > 0 && { instructions: system.join('\n\n') }),
      tools: [...tools, ...step.tools.map(writeTool)],
      input: state === undefined ? complete : itemsSinceAnswer(complete),
      prompt_cache_key: cacheKey(this.#conversation.workspace),
      ...(store === false && { store, include: ['reasoning.encrypted_content'] }),
      ...state,
    }
  }

  /**
   * Runs the calls of an answer through the gate, and returns what to append to your history. The same answer
   * given again, before the next step, runs nothing again.
   */
  async answer(
    response: Response,
    options: AnswerOptions = {},
  ): Promise<Answered<ResponseInputItem>> {
    const read = readResponse(wellFormed(response), this.#taken, this.#items)
    const { status, items, calls } = read
    const results = await this.#conversation.answer(calls, options)
    return answeredItems(status, [...items, ...results.answered.map(callOutput)], results)
  }

  /** Makes the waiting calls of a history after a person's answer, also in another process. */
  async resume(
    input: readonly ResponseInputItem[],
    options: AnswerOptions = {},
  ): Promise<Answered<ResponseInputItem>> {
    const { open } = groupHistory(input, this.#form)
    const results = await this.#conversation.resume(open, options)
    return answeredItems('continue', results.answered.map(callOutput), results)
  }

  /**
   * Returns true when the provider refused a request because its model does not take tools in the conversation.
   * From then on all are sent in `tools`: make the step again.
   */
  refused(error: unknown): boolean {
    if (this.fellBack || !isBadRequest(error)) return false
    this.#adds = !error.message.includes('additional_tools')
    return this.fellBack
  }

  /**
   * Requests and answers until the model is done, a person is asked, or the answer is cut. After a person's
   * answer, run again with the same input.
   */
  run(
    client: Pick<OpenAI, 'responses'>,
    options: OpenAIRunOptions,
  ): Promise<ConversationRun<Response>> {
    const { input, signal, maxSteps: _, onEvent, ...params } = options
    const send = (request: OpenAIRequest): Promise<Response> => {
      const include = [...(params.include ?? []), ...(request.include ?? [])]
      const body = { ...params, ...request, ...(include.length > 0 && { include }) }
      return onEvent === undefined
        ? client.responses.create(body, { signal })
        : client.responses.stream(body, { signal }).on('event', onEvent).finalResponse()
    }
    return runConversation(this, input, send, options)
  }
}

/**
 * Connects a workspace to OpenAI's Responses API. Make one object for each workspace and use it as long as the
 * workspace is open. Nothing of the SDK is loaded.
 */
export function forOpenAI(
  workspace: VirtualWorkspace,
  options: OpenAIOptions = {},
): OpenAIConversation {
  checkOptions(options, OPTIONS)
  return new OpenAIConversation(workspace, wellFormed(options))
}

/** The longest key that the provider takes. */
const MAX_KEY = 64

/** Returns the key under which the provider caches the prompts of a session. */
export function cacheKey({ session }: Pick<VirtualWorkspace, 'session'>): string {
  return session.length <= MAX_KEY ? session : textHash(session).slice(-MAX_KEY)
}
