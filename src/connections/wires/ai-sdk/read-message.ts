import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type {
  LanguageModel,
  ModelMessage,
  ToolCallPart,
  ToolModelMessage,
  ToolResultPart,
} from 'ai'
import { type HistoryMessage, type HistoryResult, skillInResult } from '../../../entries/adapter.ts'
import { isObject, memberMemo, textHash, tryOrUndefined } from '../../../entries/kit.ts'
import { resultsByCall } from '../../../workspace/conversation/group-history.ts'
import type { ModelConversation } from '../../../workspace/conversation/model-conversation.ts'

/** One part of a result that has several. */
type ContentPart = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number]

/** Returns the tool to which a part of a result refers, in the form of Anthropic's provider. */
export function toolReference(part: ContentPart): string | undefined {
  if (part.type !== 'custom') return undefined
  const { type, toolName } = part.providerOptions?.['anthropic'] ?? {}
  return type === 'tool-reference' && typeof toolName === 'string' ? toolName : undefined
}

/**
 * Reads a message of the SDK in the terms of the workspace, with the names that the provider gets, once as long as the
 * host does not change it. Workspaces that are opened one after the other share it.
 */
export const readMessage = memberMemo((message: ModelMessage) => readWith(message, new Map()))

/** The arguments of calls of `call_tool`, by the id of the call. */
type BridgedCalls = ReadonlyMap<string, unknown>

function readWith(message: ModelMessage, bridged: BridgedCalls): HistoryMessage {
  const { role, content } = message
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []))
  const results = parts.flatMap((part) =>
    part.type === 'tool-result' ? historyResult(part, bridged.get(part.toolCallId)) : [],
  )
  const read: HistoryMessage = {
    role: role === 'tool' ? 'results' : role,
    content: JSON.stringify([plain(parts), plain(message.providerOptions ?? {})]),
    ...(calls.length > 0 && { calls }),
    ...(results.length > 0 && { results }),
    ...(results.some(({ loads }) => loads !== undefined) && {
      withdraw: (withdrawn) => readResults(withoutResults(message, withdrawn), bridged),
    }),
  }
  const inputs = parts.flatMap((part): readonly (readonly [string, unknown])[] =>
    part.type === 'tool-call' && part.toolName === 'call_tool'
      ? [[part.toolCallId, part.input]]
      : [],
  )
  if (inputs.length > 0) bridgedIn.set(read, inputs)
  return read
}

/** The calls of `call_tool` in messages that have some, with their arguments. */
const bridgedIn = new WeakMap<HistoryMessage, readonly (readonly [string, unknown])[]>()

const resultsOfBridged = new WeakMap<HistoryMessage, HistoryMessage>()

/** Reads a message with results of `call_tool`: the same object for the same message. */
function readResults(message: ModelMessage, bridged: BridgedCalls): HistoryMessage {
  const plainly = readMessage(message)
  if (bridged.size === 0) return plainly
  const known = resultsOfBridged.get(plainly) ?? readWith(message, bridged)
  resultsOfBridged.set(plainly, known)
  return known
}

/** Reads the messages of a history. The call of `call_tool` names the tool that its result is of. */
export function readHistory(history: readonly ModelMessage[]): HistoryMessage[] {
  const inputs = new Map<string, unknown>()
  return history.map((message) => {
    const read = readMessage(message)
    for (const [id, input] of bridgedIn.get(read) ?? []) inputs.set(id, input)
    if (inputs.size === 0 || message.role !== 'tool') return read
    const own = message.content.flatMap((part): readonly (readonly [string, unknown])[] =>
      isResult(part) && part.toolName === 'call_tool' && inputs.has(part.toolCallId)
        ? [[part.toolCallId, inputs.get(part.toolCallId)]]
        : [],
    )
    return readResults(message, new Map(own))
  })
}

const reduced = new WeakMap<ModelMessage, Map<string, ModelMessage>>()

/** Returns a message with a text in the place of some results: the same object for the same message. */
export function withoutResults(
  message: ModelMessage,
  { calls, text: value }: Parameters<NonNullable<HistoryMessage['withdraw']>>[0],
): ModelMessage {
  if (message.role !== 'tool') return message
  const known = reduced.get(message) ?? new Map<string, ModelMessage>()
  reduced.set(message, known)
  const key = JSON.stringify(calls)
  const content = message.content.map((part) => {
    const isOut = part.type === 'tool-result' && calls.includes(part.toolCallId)
    return isOut ? { ...part, output: { type: 'text' as const, value } } : part
  })
  const made = known.get(key) ?? { ...message, content }
  known.set(key, made)
  return made
}

function historyResult(part: ToolResultPart, input: unknown): HistoryResult {
  const { toolName, toolCallId: call, output } = part
  const references =
    output.type === 'content' ? output.value.flatMap((one) => toolReference(one) ?? []) : []
  return {
    call,
    ...outcomeOf(output),
    ...skillInResult(toolName, dataOf(output), input),
    ...(references.length > 0 && { references }),
  }
}

/** Outputs that stand for the results of calls that have none. */
const MISSING_OUTPUTS = new WeakSet<object>()

function outcomeOf(output: ToolResultPart['output']): Pick<HistoryResult, 'outcome'> {
  if (MISSING_OUTPUTS.has(output)) return { outcome: 'lost' }
  switch (output.type) {
    case 'error-text':
    case 'error-json':
    case 'execution-denied':
      return { outcome: 'failed' }
    default:
      return {}
  }
}

/** Returns the data of a result. One with references has its data as text. */
function dataOf(output: ToolResultPart['output']): unknown {
  if (output.type === 'json') return output.value
  const [first] = output.type === 'content' ? output.value : []
  return first?.type === 'text'
    ? tryOrUndefined(() => JSON.parse(first.text) as unknown)
    : undefined
}

/** Returns what reaches the provider of a part; undefined for questions to a person, their answers, and references. */
function sentPart(part: object): unknown {
  const { type } = part as { type?: unknown }
  if (type === 'tool-approval-request' || type === 'tool-approval-response') return undefined
  if (type === 'custom' && toolReference(part as Parameters<typeof toolReference>[0])) {
    return undefined
  }
  // Hosts store parts, and may order their members differently.
  return plainMembers(part, Object.keys(part).sort())
}

/** Members whose texts are binary data. In others, only a URL may hold some. */
const DATA: ReadonlySet<string> = new Set(['data', 'image'])

/** The longest text of such a member that is not binary data. */
const MAX_DATA_LENGTH = 256

/** Marks of where a provider caches: they move, and are not content. */
const CACHE_MARKS: ReadonlySet<string> = new Set(['cacheControl', 'cache_control', 'cachePoint'])

/** Returns true for a mark, and for options of a message or a part that have nothing else. */
function isOnlyMarks(name: string, member: unknown): boolean {
  if (CACHE_MARKS.has(name)) return true
  if (!isObject(member) || ArrayBuffer.isView(member)) return false
  const members = Object.entries(member)
  return members.length > 0 && members.every(([inner, one]) => isOnlyMarks(inner, one))
}

/** Copies a value with binary data by digest and size, and without the marks for caches. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return `${textHash(value)} ${value.length}`
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) => (isObject(one) ? (sentPart(one) ?? []) : [plain(one)]))
  }
  if (!isObject(value)) return value instanceof URL ? value.href : value
  return plainMembers(value, Object.keys(value))
}

function plainMembers(value: object, names: readonly string[]): unknown {
  const copy = Object.create(null) as Record<string, unknown>
  for (const name of names) {
    const member: unknown = value[name as keyof object]
    if (isOnlyMarks(name, member)) continue
    const isData = typeof member === 'string' && (DATA.has(name) || member.startsWith('data:'))
    copy[name] =
      isData && member.length > MAX_DATA_LENGTH
        ? `${textHash(member)} ${member.length}`
        : plain(member)
  }
  return copy
}

/** A provider's account at the end of an answer, streamed or not. */
export type FinishedAnswer = Pick<LanguageModelV4GenerateResult, 'usage' | 'providerMetadata'>

/** Reads the tokens that a provider counted for an answer; null for one that does not say. */
export function readFinish(
  { usage, providerMetadata }: FinishedAnswer,
  params: LanguageModelV4CallOptions,
  model: LanguageModel,
): Parameters<ModelConversation['report']>[0] {
  const { inputTokens, outputTokens, raw } = usage
  const { total: input, cacheRead: cached, cacheWrite: written } = inputTokens
  if (input === undefined) return null
  const { total: output = 0, reasoning } = outputTokens
  const created = raw?.['cache_creation']
  const forAnHour = isObject(created) ? created['ephemeral_1h_input_tokens'] : 0
  const said = providerMetadata?.['openai']?.['promptCacheDiagnostics']
  const { type, reason = type, cache_missed_tokens: missed } = isObject(said) ? said : {}
  return {
    model: typeof model === 'string' ? model : model.modelId,
    usage: {
      input,
      ...(cached !== undefined && { cached }),
      ...(written !== undefined && { written }),
      output,
      ...(reasoning !== undefined && { reasoning }),
    },
    ...(typeof reason === 'string' && {
      diagnosis: { reason, ...(typeof missed === 'number' && { missed }) },
    }),
    ...(typeof forAnHour === 'number' && forAnHour > 0 && { lifetimeMs: 3_600_000 }),
    ...(isOfAnthropic(model) && isUnmarked(params) && { unmarked: true }),
  }
}

/** Returns true for a model whose provider only caches what is marked. */
function isOfAnthropic(model: LanguageModel): boolean {
  return typeof model !== 'string' && model.provider.startsWith('anthropic')
}

/** Returns true for a request without a mark for a cache. */
function isUnmarked({ prompt, tools = [], providerOptions }: LanguageModelV4CallOptions): boolean {
  const isMarked = (one: object) => {
    const { providerOptions: options } = one as { readonly providerOptions?: unknown }
    const anthropic = isObject(options) ? options['anthropic'] : undefined
    return isObject(anthropic) && ('cacheControl' in anthropic || 'cache_control' in anthropic)
  }
  const parts = prompt.flatMap((message): readonly object[] =>
    typeof message.content === 'string' ? [message] : [message, ...message.content],
  )
  return !isMarked({ providerOptions }) && ![...parts, ...tools].some(isMarked)
}

/**
 * Puts the result of each call after the answer that made it, and gives a call without one a result that says so. A
 * result without its call is left out. Providers refuse every other history: a call may be approved late, a run may
 * end before its calls, and a host may cut a history anywhere. Denials have one form.
 */
export async function withAllResults(
  history: readonly ModelMessage[],
  conversation: ModelConversation,
): Promise<readonly ModelMessage[]> {
  if (hasAllResults(history)) return history
  const items = history.flatMap((message): readonly HistoryItem[] =>
    message.role === 'tool' ? message.content : [message],
  )
  const results = resultsByCall(items, (item) =>
    isResult(item) ? { result: { call: item.toolCallId } } : { calls: callParts(item) },
  )
  const without = items.flatMap((item) =>
    callParts(item).filter(
      ({ id, providerExecuted }) => providerExecuted !== true && !results.get(item)?.has(id),
    ),
  )
  const missing = await conversation.missing(
    // The SDK makes no request before the client has answered, unless the user goes on.
    without.map(({ id, toolName: tool, input }) => ({ id, tool, input, isPassedOver: true })),
  )
  const ofProvider = new Set(
    items.flatMap((item) =>
      callParts(item).flatMap((call) => (call.providerExecuted ? call.id : [])),
    ),
  )
  let open = new Map<string, ToolResultPart>()
  const complete: ModelMessage[] = []
  const close = () => {
    if (open.size > 0) complete.push({ role: 'tool', content: [...open.values()] })
    open = new Map()
  }
  for (const message of history) {
    if (message.role === 'tool') {
      const content = message.content.filter(
        (part) =>
          part.type !== 'tool-result' ||
          open.get(part.toolCallId) === part ||
          ofProvider.has(part.toolCallId),
      )
      for (const part of content) if (part.type === 'tool-result') open.delete(part.toolCallId)
      const sent = content.map((part) => {
        const isOurs = isResult(part) && !ofProvider.has(part.toolCallId)
        if (!isOurs || part.output.type !== 'execution-denied') return part
        // The form that the SDK makes of a stored message, so that later requests have its bytes.
        const { reason: value = 'Tool call execution denied.' } = part.output
        return { ...part, output: { type: 'error-text' as const, value } }
      })
      const isSame =
        sent.length === message.content.length &&
        sent.every((part, at) => part === message.content[at])
      if (sent.length > 0) complete.push(isSame ? message : { ...message, content: sent })
      continue
    }
    close()
    complete.push(message)
    for (const { id: toolCallId, toolName, providerExecuted } of callParts(message)) {
      if (providerExecuted === true) continue
      const result = results.get(message)?.get(toolCallId)
      const known = missing.get(toolCallId)
      const part = { type: 'tool-result' as const, toolCallId, toolName }
      if (result && isResult(result)) open.set(toolCallId, result)
      else if (known) open.set(toolCallId, { ...part, output: missingOutput(known) })
    }
  }
  close()
  return complete
}

function missingOutput({
  text: value,
  isError,
}: {
  readonly text: string
  readonly isError: boolean
}): ToolResultPart['output'] {
  const output = { type: isError ? ('error-text' as const) : ('text' as const), value }
  MISSING_OUTPUTS.add(output)
  return output
}

/** Returns true for a history in order, as most are, in one pass that makes nothing. */
function hasAllResults(history: readonly ModelMessage[]): boolean {
  const open = new Set<string>()
  for (const { role, content } of history) {
    if (role === 'tool') {
      for (const part of content) {
        if (!isResult(part)) continue
        if (!open.delete(part.toolCallId) || part.output.type === 'execution-denied') return false
      }
      continue
    }
    if (open.size > 0) return false
    if (role !== 'assistant' || typeof content === 'string') continue
    for (const part of content) {
      if (part.type === 'tool-call' && part.providerExecuted !== true) open.add(part.toolCallId)
    }
  }
  return open.size === 0
}

/** A message, or a part of one with results. */
type HistoryItem = ModelMessage | ToolModelMessage['content'][number]

function isResult(item: HistoryItem): item is ToolResultPart {
  return 'type' in item && item.type === 'tool-result'
}

function callParts(item: HistoryItem): readonly (ToolCallPart & { readonly id: string })[] {
  if (!('role' in item) || item.role !== 'assistant' || typeof item.content === 'string') return []
  return item.content.flatMap((part) =>
    part.type === 'tool-call' ? { ...part, id: part.toolCallId } : [],
  )
}
