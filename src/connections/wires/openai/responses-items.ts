import type { OpenAI } from 'openai'
import type {
  FunctionTool,
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseFunctionCallOutputItem,
  ResponseFunctionToolCall,
  ResponseIncludable,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseStreamEvent,
  Tool,
} from 'openai/resources/responses/responses'
import {
  type ConversationForm,
  type ConversationOptions,
  providerTool,
  type RunOptions,
  type WireTypes,
} from '../../../entries/adapter.ts'
import { dataUrl } from './chat-messages.ts'

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
  /** True to ask the provider why its cache did not have what was sent before. Not all models take that. */
  readonly diagnostics?: boolean
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
  /** Only with the option "diagnostics". */
  prompt_cache_options?: { comparison_response_id: string; ttl?: never }
}

/** Options of `run`, and the members of a request that do not come from the workspace. */
export type OpenAIRunOptions = Omit<
  ResponseCreateParamsNonStreaming,
  Exclude<keyof OpenAIRequest, 'include' | 'prompt_cache_options'> | 'stream'
> &
  RunOptions & {
    /** Your history. Everything is appended to it as it happens, so that it is complete after an error, too. */
    readonly input: ResponseInputItem[]
    /** Gets the events of each answer, which is then streamed. */
    readonly onEvent?: (event: ResponseStreamEvent) => void
  }

/** The parts of a client that a run uses, of any version. */
interface ResponsesClient {
  readonly responses: {
    create(body: never, options?: never): PromiseLike<object>
    stream(body: never, options?: never): object
  }
}

/** The types of the Responses API. */
export interface ResponsesWire extends WireTypes {
  item: ResponseInputItem
  request: OpenAIRequest
  answer: Response
  tool: FunctionTool
  options: OpenAIOptions
  kept: ServerState | undefined
  client: ResponsesClient
  run: OpenAIRunOptions
}

/** The items of the Responses API. */
export const RESPONSES_ITEMS: ConversationForm<ResponsesWire> = {
  options: {
    model: 'text',
    instructions: 'text',
    tools: 'list',
    store: 'switch',
    diagnostics: 'switch',
  },
  ways: ['additions'],
  refusals: [{ ways: ['additions'], words: /additional_tools/u }],
  hasWholeAnswers: false,
  idLength: 64,
  read: readItem,
  results: outputItems,
  text: (content) => ({ role: 'user', content }),
  tool: (tool) => providerTool(tool, 'openai'),
  toolChange({ additions }, write) {
    const tools = additions.map(({ tool }) => write(tool))
    return tools.length === 0 ? [] : [{ type: 'additional_tools', role: 'developer', tools }]
  },
  request({ step, options, tools, leading, messages, cacheKey, kept, compare }) {
    const { model, instructions = '', tools: own = [], store, diagnostics } = options
    const system = [instructions, step.instructions].filter((text) => text !== '')
    const input = [...leading, ...messages]
    return {
      ...(model !== undefined && { model }),
      ...(system.length > 0 && { instructions: system.join('\n\n') }),
      tools: [...own, ...tools],
      // A server with the history lacks the items after the last one of the model.
      input: kept === undefined ? input : input.slice(input.findLastIndex(isOfModel) + 1),
      prompt_cache_key: cacheKey,
      ...(store === false && { store, include: ['reasoning.encrypted_content'] }),
      ...(diagnostics === true &&
        compare !== undefined && { prompt_cache_options: { comparison_response_id: compare } }),
      ...kept,
    }
  },
  answer: readResponse,
  usage: readUsage,
  open(client, { input, signal, onEvent, ...params }) {
    const { responses } = client as Pick<OpenAI, 'responses'>
    return {
      history: input,
      send(request) {
        const include = [...(params.include ?? []), ...(request.include ?? [])]
        const cacheOptions = { ...params.prompt_cache_options, ...request.prompt_cache_options }
        const body = {
          ...params,
          ...request,
          ...(include.length > 0 && { include }),
          ...(Object.keys(cacheOptions).length > 0 && { prompt_cache_options: cacheOptions }),
        }
        return onEvent === undefined
          ? responses.create(body, { signal })
          : responses.stream(body, { signal }).on('event', onEvent).finalResponse()
      },
    }
  },
}

/** The same for a provider that keeps nothing, where items have no ids. */
export const STATELESS_ITEMS: ConversationForm<ResponsesWire> = {
  ...RESPONSES_ITEMS,
  read: (item) => ({ ...readItem(item), sent: statelessItem(item) ?? {} }),
  group: (items) => items.flatMap((item) => statelessItem(item) ?? []),
}

type Form = ConversationForm<ResponsesWire>

type Results = Parameters<Form['results']>[0]

type Part = NonNullable<Results[number]['parts']>[number]

/**
 * Returns an item as a provider that keeps nothing gets it: null for reasoning without its encrypted content, and
 * without the id by which the provider would look for it.
 */
function statelessItem(item: ResponseInputItem): ResponseInputItem | null {
  switch (item.type) {
    case 'reasoning':
      return item.encrypted_content ? (without(item, ['id']) as ResponseInputItem) : null
    case 'message':
    case 'function_call':
      return without(item, ['id']) as ResponseInputItem
    default:
      return item
  }
}

/** Reads an item of the Responses API. */
function readItem(item: ResponseInputItem): ReturnType<Form['read']> {
  if ('role' in item) {
    switch (item.role) {
      case 'user':
      case 'assistant':
        return { role: item.role }
      case 'system':
      case 'developer':
        return { role: 'system' }
    }
  }
  switch (item.type) {
    case 'function_call':
      return { role: 'assistant', calls: [{ ...readCall(item), id: item.call_id }] }
    case 'function_call_output': {
      const { call_id, output } = item
      const [first] = typeof output === 'string' ? [] : output
      const text =
        typeof output === 'string' ? output : first?.type === 'input_text' ? first.text : ''
      return { role: 'results', result: { call: call_id ?? '', text } }
    }
    case 'custom_tool_call_output':
    case 'computer_call_output':
    case 'local_shell_call_output':
    case 'shell_call_output':
    case 'apply_patch_call_output':
      return { role: 'results' }
    default:
      return { role: 'assistant' }
  }
}

function isOfModel(item: ResponseInputItem): boolean {
  return item.type !== 'additional_tools' && readItem(item).role === 'assistant'
}

/**
 * Reads an answer. Nothing counts of one that did not end, or failed. Of an incomplete one, no call runs.
 *
 * Items are sent back unchanged, reasoning included, except for what the provider refuses: members that the
 * streaming helpers add, and reasoning that led to nothing because the answer was cut.
 */
function readResponse({
  output,
  status = 'completed',
  incomplete_details: details,
}: Response): ReturnType<Form['answer']> {
  if (status !== 'completed' && status !== 'incomplete') return null
  const end = output.findLastIndex(({ type }) => type !== 'reasoning') + 1
  const made = output.slice(0, end).map(sentItem)
  const isCut = status === 'incomplete'
  return {
    status: isCut ? 'cut' : 'done',
    ...(isCut && { stopped: details?.reason ?? status }),
    calls: made.flatMap((item) =>
      item.type === 'function_call'
        ? { ...readCall(item), id: item.call_id, isCut: item.status === 'incomplete' }
        : [],
    ),
    items: (calls) => {
      let next = 0
      return made.map((item) => {
        const call = item.type === 'function_call' ? calls[next++] : undefined
        return call ? { ...item, call_id: call.id, name: call.name, arguments: call.text } : item
      })
    },
  }
}

/** Reads the tokens of an answer, and what the provider says about its cache. */
function readUsage({
  id,
  model,
  usage,
  prompt_cache_diagnostics: said,
  prompt_cache_options: options,
}: Partial<Response>): ReturnType<NonNullable<Form['usage']>> {
  if (usage?.input_tokens === undefined) return null
  const { cached_tokens: cached, cache_write_tokens: written } = usage.input_tokens_details ?? {}
  const { reasoning_tokens: reasoning } = usage.output_tokens_details ?? {}
  const lifetimeMs = options && LIFETIMES[options.ttl]
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    usage: {
      input: usage.input_tokens,
      ...(cached !== undefined && { cached }),
      ...(written !== undefined && { written }),
      output: usage.output_tokens,
      ...(reasoning !== undefined && { reasoning }),
    },
    ...(said && {
      diagnosis:
        said.type === 'cache_miss'
          ? { reason: said.reason, missed: said.cache_missed_tokens }
          : { reason: said.type },
    }),
    ...(lifetimeMs !== undefined && { lifetimeMs }),
  }
}

const LIFETIMES: Readonly<Partial<Record<string, number>>> = { '30m': 1_800_000, '12h': 43_200_000 }

/** Removes what only a response has. */
function sentItem(item: ResponseOutputItem): ResponseInputItem {
  if (item.type === 'function_call') {
    return without(item, ['parsed_arguments', 'created_by']) as ResponseInputItem
  }
  if (item.type !== 'message') return item as ResponseInputItem
  return {
    ...item,
    content: item.content.map((part) => without(part, ['parsed'])),
  } as ResponseInputItem
}

function without(value: object, members: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !members.includes(name)))
}

/** Returns the items with the results of calls. That of a program's call names the program. */
function outputItems(results: Results): readonly ResponseInputItem[] {
  return results.map(({ id, program, text, parts }) => {
    const output = parts?.map(outputPart) ?? text
    const made = { type: 'function_call_output' as const, call_id: id, output }
    return program === undefined ? made : ({ ...made, caller: program } as ResponseInputItem)
  })
}

/** Converts a part of a result. Audio has no form here: it becomes a sentence. */
function outputPart(part: Part): ResponseFunctionCallOutputItem {
  switch (part.kind) {
    case 'image':
      return { type: 'input_image', detail: 'auto', image_url: dataUrl(part) }
    case 'file': {
      const { name: filename = 'file.pdf' } = part
      return { type: 'input_file', filename, file_data: dataUrl(part) }
    }
    case 'audio':
    case 'text':
      return { type: 'input_text', text: part.text }
  }
}

/** Reads a call, with the program that makes it where that is not the model itself. */
function readCall({ namespace, name, arguments: input, caller }: ResponseFunctionToolCall) {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    input,
    ...(caller?.type === 'program' && { program: caller }),
  }
}
