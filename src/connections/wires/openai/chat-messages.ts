import type {
  ChatCompletion,
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions'
import type {
  GroupedHistory,
  HistoryForm,
  ReadItem,
} from '../../../workspace/conversation/group-history.ts'
import { callId } from './call-id.ts'
import { partKind } from './part-kind.ts'
import { callName } from '../../../schema/provider-forms/provider-name.ts'
import { LOST_RESULT, modelText } from '../../../tools/response/model-text.ts'
import {
  type AnsweredCall,
  CUT_CALL,
  stoppedAnswer,
} from '../../../workspace/calls/call-answers.ts'
import type { NamedCall } from '../../../workspace/conversation/model-conversation.ts'
import {
  PARTS_OF_RESULTS,
  type StepMessage,
} from '../../../workspace/offer/conversation/history-message.ts'
import type { ReadAnswer } from '../../../workspace/conversation/run-conversation.ts'

type Message = ChatCompletionMessageParam

/** The messages of Chat Completions. */
export const CHAT_MESSAGES: HistoryForm<Message> = {
  hasWholeAnswers: true,
  read: readMessage,
  lostResult: ({ id }) => ({ role: 'tool', tool_call_id: id, content: LOST_RESULT }),
}

function readMessage(message: Message): ReadItem {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system' }
    case 'user':
      return { role: hasFilesOfResults(message) ? 'results' : 'user' }
    case 'assistant': {
      const calls = (message.tool_calls ?? []).flatMap((call): readonly NamedCall[] =>
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

/** Writes the conversation of a step behind one system message: many servers take only one. */
export function writeMessages(
  { leading, groups }: GroupedHistory<Message>,
  instructions: string,
  messages: readonly StepMessage[],
): Message[] {
  const [first, ...others] = leading
  const own = first?.content
  const continued = Array.isArray(own)
    ? [...own, { type: 'text', text: instructions }]
    : `${own ?? ''}\n\n${instructions}`
  const system: Message[] =
    instructions === ''
      ? [...leading]
      : first === undefined
        ? [{ role: 'system', content: instructions }]
        : [{ ...first, content: continued } as Message, ...others]
  const written = messages.flatMap((message): readonly Message[] => {
    switch (message.kind) {
      case 'history':
        return groups[message.index]?.items ?? []
      case 'text':
        return [{ role: 'user', content: message.text }]
      case 'tools':
        return []
    }
  })
  return [...system, ...written]
}

/** Reasons of compatible servers for an answer that broke off. */
const BROKEN: ReadonlySet<string> = new Set(['error', 'abort', 'aborted', 'cancelled'])

/**
 * Reads a completion. Nothing counts of one without an end. One that ended at a limit, or by a filter, is cut: by a
 * filter, none of its calls runs.
 *
 * Servers with the same protocol differ. The calls count with every other reason for the end. A missing or repeated
 * id is replaced by a new one. Arguments may be an object or absent. A name or arguments that are not valid go
 * back in a form that every server takes; the gate refuses the call.
 *
 * @param taken ids of calls in the history
 * @param step the number of messages before the answer
 */
export function readCompletion(
  { choices }: ChatCompletion,
  taken: ReadonlySet<string>,
  step: number,
): ReadAnswer<Message> {
  const [choice] = choices ?? []
  // Compatible servers leave members out that the types promise.
  const reason = choice?.finish_reason as string | null | undefined
  if (!choice?.message || !reason || BROKEN.has(reason)) {
    return { status: 'failed', items: [], calls: [] }
  }
  const isFiltered = reason === 'content_filter'
  const isCut = reason === 'length' || isFiltered
  const ids = new Set(taken)
  const made = (choice.message.tool_calls ?? []).flatMap((call, index) => {
    if (call.type === 'custom') return []
    const { name = '', arguments: given } = (call.function ?? {}) as Partial<Called>
    const id = callId(call.id, [step, index], ids, MAX_ID)
    ids.add(id)
    const input = given ?? ''
    const text = argumentsText(input)
    const isUnfinished = isCut && (text === null || input === '')
    const stopped = isFiltered ? stoppedAnswer(reason) : CUT_CALL
    const made = { id, name, input, ...((isFiltered || isUnfinished) && { stopped }) }
    return [{ call: made, sent: sentCall(made, text ?? '{}', call) }]
  })
  const calls = made.map(({ call }) => call)
  const message = assistantMessage(
    choice.message,
    made.map(({ sent }) => sent),
  )
  return {
    status: isCut ? 'cut' : calls.length > 0 ? 'continue' : 'done',
    items: message === null ? [] : [message],
    calls,
  }
}

type Called = ChatCompletionMessageFunctionToolCall['function']

/** The most characters of an id. The streaming helper of the SDK makes longer ones. */
const MAX_ID = 40

/** Returns the arguments as text; null for what is not JSON. */
function argumentsText(input: unknown): string | null {
  if (isObject(input)) return JSON.stringify(input)
  if (typeof input !== 'string') return null
  if (input.trim() === '') return '{}'
  try {
    JSON.parse(input)
    return wellFormedJson(input)
  } catch {
    return null
  }
}

/** Gemini refuses a call without the signature that it wrote into its `extra_content`. */
function sentCall({ id, name }: NamedCall, text: string, given: object): SentCall {
  const extra = 'extra_content' in given ? { extra_content: given.extra_content } : {}
  const called = { name: callName(name, 'openai'), arguments: text }
  return { id, type: 'function', function: called, ...extra }
}

type SentCall = ChatCompletionMessageFunctionToolCall & { readonly extra_content?: unknown }

/** The reasoning of servers with the same protocol. */
export interface Reasoned {
  readonly reasoning_content?: string | null
}

/**
 * Returns null for an answer that says nothing. Reasoning is sent back with the calls that it led to: Kimi and DeepSeek
 * refuse them without it. Others refuse it where no call follows.
 */
function assistantMessage(
  { content, refusal, audio, reasoning_content: reasoning }: ChatCompletionMessage & Reasoned,
  calls: SentCall[],
): ChatCompletionAssistantMessageParam | null {
  const said = content || (refusal ? [{ type: 'refusal' as const, refusal }] : null)
  if (said === null && calls.length === 0 && !audio) return null
  return {
    role: 'assistant',
    content: said,
    ...(audio && { audio: { id: audio.id } }),
    ...(calls.length > 0 && {
      ...(typeof reasoning === 'string' && { reasoning_content: reasoning }),
      tool_calls: calls,
    }),
  }
}

/** Returns true for the message with the files of results, which the results describe. */
export function hasFilesOfResults({ role, content }: Message): boolean {
  if (role !== 'user') return false
  const [first] = Array.isArray(content) ? content : []
  return first?.type === 'text' && first.text === PARTS_OF_RESULTS
}

/**
 * Returns the messages with the results of calls. Results are text; what is no text follows in one message of the
 * user, and the result describes it.
 */
export function resultMessages(answered: readonly AnsweredCall[]): readonly Message[] {
  const contentOf = ({ response }: AnsweredCall) => (response.ok ? response.content : undefined)
  const results = answered.map((one): Message => {
    const parts = contentOf(one)
    const content = parts?.map(partText).join('\n\n') ?? modelText(one.response)
    return { role: 'tool', tool_call_id: one.call.id, content }
  })
  const parts = answered
    .flatMap((one) => contentOf(one) ?? [])
    .map(messagePart)
    .filter((part) => part !== null)
  if (parts.length === 0) return results
  return [
    ...results,
    { role: 'user', content: [{ type: 'text', text: PARTS_OF_RESULTS }, ...parts] },
  ]
}

/** Converts a part of a result for a message of the user; null for one that is only described. */
function messagePart(given: ContentPart): ChatCompletionContentPart | null {
  const known = partKind(given)
  switch (known.kind) {
    case 'image':
      return { type: 'image_url', image_url: { url: known.url } }
    case 'file':
      return { type: 'file', file: { filename: known.filename, file_data: known.url } }
    case 'audio': {
      const { data, format } = known
      return { type: 'input_audio', input_audio: { data, format } }
    }
    case 'text':
      return null
  }
}
