import type { OpenAI } from 'openai'
import type {
  ChatCompletion,
  ChatCompletionAssistantMessageParam,
  ChatCompletionChunk,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions/completions'
import {
  type ConversationForm,
  type ConversationOptions,
  providerTool,
  type RunOptions,
  type WireTypes,
} from '../../../entries/adapter.ts'
import { WorkspaceError } from '../../../entries/index.ts'
import { PARTS_OF_RESULTS } from '../../../entries/kit.ts'

/** A tool with a schema: the client has had other kinds since version 5. */
type FunctionTool = Extract<ChatCompletionTool, { type: 'function' }>

/** The parts of a request that come from the workspace. */
export interface ChatRequest {
  /** Absent when there are none: servers refuse an empty list. */
  tools?: FunctionTool[]
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

/** A client of OpenAI, or of another server with the same protocol. */
interface ChatClient {
  readonly chat: {
    readonly completions: { create(body: never, options?: never): PromiseLike<object> }
  }
}

/** Before version 5, streams are in `beta`. */
type OpenAIClient = Pick<OpenAI, 'chat'> & { readonly beta?: Pick<OpenAI, 'chat'> }

/** The types of Chat Completions. */
export interface ChatWire extends WireTypes {
  item: ChatCompletionMessageParam
  request: ChatRequest
  answer: ChatCompletion
  tool: FunctionTool
  options: ConversationOptions
  kept: undefined
  client: ChatClient
  run: ChatRunOptions
}

/** The form of Chat Completions. */
export const CHAT_MESSAGES: ConversationForm<ChatWire> = {
  options: {},
  ways: ['files'],
  // Servers differ in their words, and in the status, too.
  refusals: [{ ways: ['files'], words: /image|audio|\bfile|multimodal|must be a string/iu }],
  hasWholeAnswers: true,
  // The streaming helper of the SDK makes longer ones.
  idLength: 40,
  withoutFiles: (message) => (hasFilesOfResults(message) ? null : message),
  read: readMessage,
  results: resultMessages,
  text: (content) => ({ role: 'user', content }),
  tool: (tool) => providerTool(tool, 'openai-chat'),
  request: (given) => ({
    ...(given.tools.length > 0 && { tools: [...given.tools] }),
    messages: withInstructions(given),
    ...(given.step.cost.provider === 'openai' && { prompt_cache_key: given.cacheKey }),
  }),
  answer: readCompletion,
  usage: readUsage,
  open(client, { messages, signal, onChunk, ...params }) {
    const { chat, beta } = client as OpenAIClient
    return {
      history: messages,
      async send(request) {
        const body = { ...params, ...request }
        if (onChunk === undefined) return chat.completions.create(body, { signal })
        const { completions } = 'stream' in chat.completions ? chat : (beta?.chat ?? noStreams())
        const pieces: string[] = []
        // Of other servers, some refuse it.
        const counts = request.prompt_cache_key !== undefined && {
          stream_options: { include_usage: true, ...params.stream_options },
        }
        const stream = completions
          .stream({ ...body, ...counts }, { signal })
          .on('chunk', (chunk) => {
            const delta: (Delta & Reasoned) | undefined = chunk.choices[0]?.delta
            if (typeof delta?.reasoning_content === 'string') pieces.push(delta.reasoning_content)
            onChunk(chunk)
          })
        const completion = await stream.finalChatCompletion()
        if (pieces.length === 0) return completion
        // The client keeps the last piece of the reasoning only.
        const reasoned = { reasoning_content: pieces.join('') }
        const choices = completion.choices.map((choice) => ({
          ...choice,
          message: { ...choice.message, ...reasoned },
        }))
        return { ...completion, choices }
      },
    }
  },
}

function noStreams(): never {
  throw new WorkspaceError(
    'SDK_UNSUPPORTED',
    'The client has no "chat.completions.stream", which "onChunk" needs.',
    { hint: 'Use the package "openai", version 4.104 or newer, or leave "onChunk" out.' },
  )
}

type Message = ChatCompletionMessageParam

type Form = ConversationForm<ChatWire>

type Results = Parameters<Form['results']>[0]

type Part = NonNullable<Results[number]['parts']>[number]

/** Reads a message of Chat Completions. */
function readMessage(message: Message): ReturnType<Form['read']> {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system' }
    case 'user':
      return { role: hasFilesOfResults(message) ? 'results' : 'user' }
    case 'assistant': {
      const calls = (message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ id: call.id, name: call.function.name, input: call.function.arguments }]
          : [],
      )
      return { role: 'assistant', calls }
    }
    case 'tool': {
      const { tool_call_id: call, content } = message
      const text = typeof content === 'string' ? content : (content[0]?.text ?? '')
      return { role: 'results', result: { call, text } }
    }
    case 'function':
      return { role: 'results', result: { call: '', text: '' } }
  }
}

/** Writes the messages of a request behind one message of the system: many servers take only one. */
function withInstructions({
  leading,
  messages,
  step: { instructions },
}: Parameters<Form['request']>[0]): Message[] {
  if (instructions === '') return [...leading, ...messages]
  const [first, ...others] = leading
  if (first === undefined) return [{ role: 'system', content: instructions }, ...messages]
  const own = first.content
  const content = Array.isArray(own)
    ? [...own, { type: 'text', text: instructions }]
    : `${own ?? ''}\n\n${instructions}`
  return [{ ...first, content } as Message, ...others, ...messages]
}

/** Reasons of compatible servers for an answer that broke off. */
const BROKEN: ReadonlySet<string> = new Set([
  'error',
  'abort',
  'aborted',
  'cancelled',
  'network_error',
  'insufficient_system_resource',
])

/** Reasons of OpenAI, and of compatible servers such as those of Gemini and GLM, for an answer that a filter ended. */
const FILTERED: ReadonlySet<string> = new Set([
  'content_filter',
  'safety',
  'sensitive',
  'recitation',
  'blocklist',
  'prohibited_content',
  'spii',
])

/**
 * Reads a completion. Nothing counts of one without an end. One that ended at a limit, or by a filter, is cut: by a
 * filter, none of its calls runs.
 *
 * Servers with the same protocol differ. The calls count with every other reason for the end.
 */
function readCompletion({ choices }: ChatCompletion): ReturnType<Form['answer']> {
  const [choice] = choices ?? []
  // Compatible servers leave members out that the types promise.
  const reason = choice?.finish_reason as string | null | undefined
  if (!choice?.message || !reason || BROKEN.has(reason)) return null
  const isFiltered = FILTERED.has(reason.toLowerCase())
  const made = (choice.message.tool_calls ?? []).filter(({ type }) => type !== 'custom')
  return {
    status: isFiltered || reason === 'length' ? 'cut' : 'done',
    ...(isFiltered && { stopped: reason }),
    calls: made.map((call) => {
      const { name = '', arguments: input } = (call as { function?: Called }).function ?? {}
      return { id: call.id, name, input }
    }),
    items: (calls) => {
      const sent = calls.map(({ id, name, text }, index): SentToolCall => {
        const given = made[index] ?? {}
        // Gemini refuses a call without the signature that it wrote here.
        const extra = 'extra_content' in given ? { extra_content: given.extra_content } : {}
        return { id, type: 'function', function: { name, arguments: text }, ...extra }
      })
      return assistantMessage(choice.message, sent)
    },
  }
}

/** Reads the tokens of an answer. DeepSeek has a member of its own for those of its cache. */
function readUsage({
  id,
  model,
  usage,
}: Partial<ChatCompletion>): ReturnType<NonNullable<Form['usage']>> {
  if (usage?.prompt_tokens === undefined) return null
  const hit: unknown = usage['prompt_cache_hit_tokens' as keyof typeof usage]
  const cached = usage.prompt_tokens_details?.cached_tokens ?? hit
  const { cache_write_tokens: written } = usage.prompt_tokens_details ?? {}
  const { reasoning_tokens: reasoning } = usage.completion_tokens_details ?? {}
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    usage: {
      input: usage.prompt_tokens,
      ...(typeof cached === 'number' && { cached }),
      ...(written !== undefined && { written }),
      output: usage.completion_tokens,
      ...(reasoning !== undefined && { reasoning }),
    },
  }
}

type Called = Partial<ChatCompletionMessageFunctionToolCall['function']>

type SentToolCall = ChatCompletionMessageFunctionToolCall & { readonly extra_content?: unknown }

/** The reasoning of servers with the same protocol. */
interface Reasoned {
  readonly reasoning_content?: string | null
}

/**
 * Returns no message for an answer that says nothing. Reasoning is sent back with the calls that it led to: Kimi and DeepSeek
 * refuse them without it. Others refuse it where no call follows.
 */
function assistantMessage(
  { content, refusal, audio, reasoning_content: reasoning }: ChatCompletionMessage & Reasoned,
  calls: SentToolCall[],
): readonly ChatCompletionAssistantMessageParam[] {
  const said = content || (refusal ? [{ type: 'refusal' as const, refusal }] : null)
  if (said === null && calls.length === 0 && !audio) return []
  const message = {
    role: 'assistant' as const,
    content: said,
    ...(audio && { audio: { id: audio.id } }),
    ...(calls.length > 0 && {
      ...(typeof reasoning === 'string' && { reasoning_content: reasoning }),
      tool_calls: calls,
    }),
  }
  return [message]
}

/** Returns true for the message with the files of results, which the results describe. */
function hasFilesOfResults({ role, content }: Message): boolean {
  if (role !== 'user') return false
  const [first] = Array.isArray(content) ? content : []
  return first?.type === 'text' && first.text === PARTS_OF_RESULTS
}

/**
 * Returns the messages with the results of calls. Results are text; what is no text follows in one message of the
 * user, and the result describes it.
 */
function resultMessages(results: Results): readonly Message[] {
  const messages = results.map(({ id, text }): Message => {
    return { role: 'tool', tool_call_id: id, content: text }
  })
  const parts = results.flatMap((one) => one.parts ?? []).flatMap(messagePart)
  if (parts.length === 0) return messages
  return [
    ...messages,
    { role: 'user', content: [{ type: 'text', text: PARTS_OF_RESULTS }, ...parts] },
  ]
}

/** Converts a part of a result for a message of the user; nothing for one that is only described. */
function messagePart(part: Part): readonly ChatCompletionContentPart[] {
  switch (part.kind) {
    case 'image':
      return [{ type: 'image_url', image_url: { url: dataUrl(part) } }]
    case 'file': {
      const { name: filename = 'file.pdf' } = part
      return [{ type: 'file', file: { filename, file_data: dataUrl(part) } }]
    }
    case 'audio': {
      const format = part.mediaType === 'audio/wav' ? 'wav' : 'mp3'
      return [{ type: 'input_audio', input_audio: { data: part.data, format } }]
    }
    case 'text':
      return []
  }
}

/** Returns data in the form that both APIs of OpenAI take. */
export function dataUrl({ mediaType, data }: Extract<Part, { readonly data: string }>): string {
  return `data:${mediaType};base64,${data}`
}
