import type { OpenAI } from 'openai'
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions'
import {
  type Answered,
  type AnswerOptions,
  type ConversationOptions,
  type ConversationRun,
  providerTool,
  type RunOptions,
} from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { checkOptions, identityMemo, wellFormed } from '../../../entries/kit.ts'
import {
  CHAT_MESSAGES,
  hasFilesOfResults,
  readCompletion,
  type Reasoned,
  resultMessages,
  writeMessages,
} from './chat-messages.ts'
import { cacheKey } from './for-open-ai.ts'
import { groupHistory } from '../../../workspace/conversation/group-history.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import { wellFormed } from '../../../kernel/json-value.ts'
import { providerTool } from '../../../tools/definition/provider-tool.ts'
import type { AnswerOptions } from '../../../workspace/calls/call-answers.ts'
import {
  CONVERSATION_OPTIONS,
  type ConversationOptions,
  ModelConversation,
} from '../../../workspace/conversation/model-conversation.ts'
import {
  type Answered,
  answeredItems,
  type ConversationRun,
  runConversation,
  type RunOptions,
} from '../../../workspace/conversation/run-conversation.ts'
import type { VirtualWorkspace } from '../../../workspace/virtual-workspace.ts'
import { checkOptions } from '../../../kernel/check-options.ts'

/** The parts of a request that come from the workspace. */
export interface ChatRequest {
  /** Absent when there are none: servers refuse an empty list. */
  tools?: ChatCompletionFunctionTool[]
  messages: ChatCompletionMessageParam[]
  /** Only for OpenAI itself: other servers may refuse it. */
  prompt_cache_key?: string
}

/** Options of `run`, and the members of a request that do not come from the workspace. */
export type ChatRunOptions = Omit<
  ChatCompletionCreateParamsNonStreaming,
  keyof ChatRequest | 'stream'
> &
  RunOptions & {
    /** Your history. Everything is appended to it as it happens, so that it is complete after an error, too. */
    readonly messages: ChatCompletionMessageParam[]
    /** Gets the chunks of each answer, which is then streamed. */
    readonly onChunk?: (chunk: ChatCompletionChunk) => void
  }

type Delta = ChatCompletionChunk.Choice.Delta

/** Words by which servers refuse files: they differ, in the status, too. */
const REFUSED_FILES = /image|audio|\bfile|multimodal|must be a string/iu

/** The forms of tools, once for each definition. */
const written = identityMemo<ChatCompletionFunctionTool>()

/** A workspace in the form of Chat Completions. */
export class ChatConversation {
  readonly #conversation: ModelConversation
  /** The ids of the calls in the history of this step. */
  #taken: ReadonlySet<string> = new Set()
  #messages = 0
  #sendsFiles = true
  #sent: readonly ChatCompletionMessageParam[] = []

  constructor(workspace: VirtualWorkspace, options: ConversationOptions) {
    this.#conversation = new ModelConversation(workspace, 'openai', options)
  }

  /** True when the model takes no files of results: they are described. */
  get fellBack(): boolean {
    return !this.#sendsFiles
  }

  /**
   * Begins a step and returns the request. Give it your complete history, without what the workspace adds. A
   * system message at its start is continued by the workspace's instructions.
   */
  async next(messages: readonly ChatCompletionMessageParam[]): Promise<ChatRequest> {
    const sent = this.#sendsFiles ? messages : messages.filter((one) => !hasFilesOfResults(one))
    const history = groupHistory(sent, CHAT_MESSAGES)
    const step = await this.#conversation.beginStep(
      history.groups.map(({ message }) => message),
      { carries: [] },
    )
    this.#taken = history.calls
    this.#messages = messages.length
    this.#sent = sent
    const tools = step.tools.map((tool) =>
      written([tool], '', () => providerTool(tool, 'openai-chat')),
    )
    return {
      ...(tools.length > 0 && { tools }),
      messages: writeMessages(history, step.instructions, step.messages),
      ...(step.cost.provider === 'openai' && {
        prompt_cache_key: cacheKey(this.#conversation.workspace),
      }),
    }
  }

  /**
   * Runs the calls of a completion through the gate, and returns what to append to your history. The same
   * completion given again, before the next step, runs nothing again.
   */
  async answer(
    completion: ChatCompletion,
    options: AnswerOptions = {},
  ): Promise<Answered<ChatCompletionMessageParam>> {
    const read = readCompletion(wellFormed(completion), this.#taken, this.#messages)
    const { status, items, calls } = read
    const results = await this.#conversation.answer(calls, options)
    return answeredItems(status, [...items, ...resultMessages(results.answered)], results)
  }

  /** Makes the waiting calls of a history after a person's answer, also in another process. */
  async resume(
    messages: readonly ChatCompletionMessageParam[],
    options: AnswerOptions = {},
  ): Promise<Answered<ChatCompletionMessageParam>> {
    const { open } = groupHistory(messages, CHAT_MESSAGES)
    const results = await this.#conversation.resume(open, options)
    return answeredItems('continue', resultMessages(results.answered), results)
  }

  /**
   * Returns true when the provider refused a request because its model takes no images, sounds or files. From then
   * on, those of results are only described: make the step again.
   */
  refused(error: unknown): boolean {
    if (!(error instanceof Error) || !('status' in error)) return false
    if (!this.#sent.some(hasFilesOfResults)) return false
    this.#sendsFiles = !REFUSED_FILES.test(error.message)
    return this.fellBack
  }

  /**
   * Requests and answers until the model is done, a person is asked, or the answer is cut. After a person's
   * answer, run again with the same messages.
   */
  run(
    client: Pick<OpenAI, 'chat'>,
    options: ChatRunOptions,
  ): Promise<ConversationRun<ChatCompletion>> {
    const { messages, signal, maxSteps: _, onChunk, ...params } = options
    const { completions } = client.chat
    const send = async (request: ChatRequest): Promise<ChatCompletion> => {
      const body = { ...params, ...request }
      if (onChunk === undefined) return completions.create(body, { signal })
      const pieces: string[] = []
      const stream = completions.stream(body, { signal }).on('chunk', (chunk) => {
        const delta: (Delta & Reasoned) | undefined = chunk.choices[0]?.delta
        if (typeof delta?.reasoning_content === 'string') pieces.push(delta.reasoning_content)
        onChunk(chunk)
      })
      const completion = await stream.finalChatCompletion()
      return pieces.length === 0 ? completion : withReasoning(completion, pieces.join(''))
    }
    return runConversation(this, messages, send, options)
  }
}

/** Adds the reasoning of a stream: the client keeps its last piece only. */
function withReasoning({ choices, ...others }: ChatCompletion, reasoning: string): ChatCompletion {
  const reasoned = choices.map((choice) => ({
    ...choice,
    message: { ...choice.message, reasoning_content: reasoning },
  }))
  return { ...others, choices: reasoned }
}

/**
 * Connects a workspace to Chat Completions: of OpenAI, and of every server with the same protocol. Make one
 * object for each workspace and use it as long as the workspace is open. Nothing of the SDK is loaded.
 */
export function forChatCompletions(
  workspace: VirtualWorkspace,
  options: ConversationOptions = {},
): ChatConversation {
  checkOptions(options, CONVERSATION_OPTIONS)
  return new ChatConversation(workspace, options)
}
