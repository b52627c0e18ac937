import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { LanguageModel, ModelMessage, ToolResultPart } from 'ai'
import { type HistoryMessage, type HistoryResult, skillInResult } from '../../../entries/adapter.ts'
import { isObject, memberMemo, textHash, tryOrUndefined } from '../../../entries/kit.ts'
import type { ModelConversation } from '../../../workspace/conversation/model-conversation.ts'
import { toolReference } from './drop-dead-references.ts'

/**
 * Reads a message of the SDK in the terms of the workspace, with the names that the provider gets, once as long as the
 * host does not change it. Workspaces that are opened one after the other share it.
 */
export const readMessage = memberMemo((message: ModelMessage): HistoryMessage => {
  const { role, content } = message
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []))
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? historyResult(part) : []))
  return {
    role: role === 'tool' ? 'results' : role,
    content: JSON.stringify([plain(parts), plain(message.providerOptions ?? {})]),
    ...(calls.length > 0 && { calls }),
    ...(results.length > 0 && { results }),
  }
})

function historyResult(part: ToolResultPart): HistoryResult {
  const { toolName, toolCallId: call, output } = part
  const references =
    output.type === 'content' ? output.value.flatMap((one) => toolReference(one) ?? []) : []
  return {
    call,
    ...outcomeOf(output),
    ...skillInResult(toolName, dataOf(output)),
    ...(references.length > 0 && { references }),
  }
}

/** Outputs that stand for the results of calls that have none. */
export const MISSING_OUTPUTS = new WeakSet<object>()

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
