import type {
  FunctionTool,
  Response,
  ResponseFunctionCallOutputItem,
  ResponseFunctionToolCall,
  ResponseInputItem,
  ResponseOutputItem,
} from 'openai/resources/responses/responses'
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
import type { StepMessage } from '../../../workspace/offer/conversation/history-message.ts'
import type { ReadAnswer } from '../../../workspace/conversation/run-conversation.ts'

/** The items of the Responses API. */
export const RESPONSES_ITEMS: HistoryForm<ResponseInputItem> = {
  hasWholeAnswers: false,
  read: readItem,
  lostResult: (call) => resultItem(call, LOST_RESULT),
}

/** Returns the result of a call. That of a program's call names the program. */
function resultItem(
  { id, program }: Pick<NamedCall, 'id' | 'program'>,
  output: string | ResponseFunctionCallOutputItem[],
): ResponseInputItem {
  const made = { type: 'function_call_output' as const, call_id: id, output }
  return program === undefined ? made : ({ ...made, caller: program } as ResponseInputItem)
}

/** The same for a provider that keeps nothing, where items have no ids. */
export const STATELESS_ITEMS: HistoryForm<ResponseInputItem> = {
  ...RESPONSES_ITEMS,
  read: (item) => ({ ...readItem(item), sent: statelessItem(item) ?? {} }),
}

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

function readItem(item: ResponseInputItem): ReadItem {
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
    case 'function_call': {
      const { call_id: id, namespace, name, arguments: input } = item
      const call = { id, name: addressOf(namespace, name), input, ...programOf(item) }
      return { role: 'assistant', calls: [call] }
    }
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

const written = identityMemo<FunctionTool>()

/** Writes a tool, once for each definition. */
export function writeTool(tool: Tool): FunctionTool {
  return written([tool], '', () => providerTool(tool, 'openai'))
}

/**
 * Writes the conversation of a step.
 *
 * @param stores false when the provider keeps nothing
 */
export function writeInput(
  { leading, groups }: GroupedHistory<ResponseInputItem>,
  messages: readonly StepMessage[],
  stores: boolean,
): ResponseInputItem[] {
  const written = messages.flatMap((message): readonly ResponseInputItem[] => {
    switch (message.kind) {
      case 'history': {
        const items = groups[message.index]?.items ?? []
        return stores ? items : items.flatMap((item) => statelessItem(item) ?? [])
      }
      case 'text':
        return [{ role: 'user', content: message.text }]
      case 'tools': {
        const tools = message.additions.map(({ tool }) => writeTool(tool))
        return tools.length === 0 ? [] : [{ type: 'additional_tools', role: 'developer', tools }]
      }
    }
  })
  return [...leading, ...written]
}

/** Returns the items after the last one of the model: those that a server with the history lacks. */
export function itemsSinceAnswer(input: readonly ResponseInputItem[]): ResponseInputItem[] {
  const isOfModel = (item: ResponseInputItem) => readItem(item).role === 'assistant'
  return input.slice(input.findLastIndex((item) => isOfModel(item) && !isToolChange(item)) + 1)
}

function isToolChange({ type }: ResponseInputItem): boolean {
  return type === 'additional_tools'
}

/** The most characters of an id. */
const MAX_ID = 64

/**
 * Reads an answer. Nothing counts of one that did not end, or failed. Of an incomplete one, no call runs.
 *
 * Items are sent back unchanged, reasoning included, except for what the provider refuses: members that the
 * streaming helpers add, arguments that are not JSON (`{}` instead), names that no tool can have, and reasoning that
 * led to nothing because the answer was cut. A missing, repeated or too long id of a call is replaced by a new one.
 *
 * @param taken ids of calls in the history
 * @param step the number of items before the answer
 */
export function readResponse(
  { output, status = 'completed', incomplete_details: details }: Response,
  taken: ReadonlySet<string>,
  step: number,
): ReadAnswer<ResponseInputItem> {
  if (status !== 'completed' && status !== 'incomplete') {
    return { status: 'failed', items: [], calls: [] }
  }
  const calls: NamedCall[] = []
  const ids = new Set(taken)
  const items = output.flatMap((item, index): readonly ResponseInputItem[] => {
    if (item.type === 'reasoning') {
      return output.slice(index).every(({ type }) => type === 'reasoning') ? [] : [item]
    }
    const sent = sentItem(item)
    if (sent.type !== 'function_call') return [sent]
    const { namespace, name, arguments: input } = sent
    const id = callId(sent.call_id, [step, index], ids, MAX_ID)
    ids.add(id)
    const isStopped = status === 'incomplete'
    const stopped = isStopped ? stoppedAnswer(details?.reason ?? status) : CUT_CALL
    calls.push({
      id,
      name: addressOf(namespace, name),
      input,
      ...((isStopped || sent.status === 'incomplete') && { stopped }),
      ...programOf(sent),
    })
    const legal = callName(name, 'openai')
    return [
      {
        ...sent,
        call_id: id,
        name: legal,
        arguments: isJson(input) ? wellFormedJson(input) : '{}',
      },
    ]
  })
  const end = status === 'incomplete' ? 'cut' : calls.length > 0 ? 'continue' : 'done'
  return { status: end, items, calls }
}

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

/** Returns the item with the result of a call. */
export function callOutput({ call, response }: AnsweredCall): ResponseInputItem {
  const content = response.ok ? response.content : undefined
  const output = content === undefined ? modelText(response) : content.map(outputPart)
  return resultItem(call, output)
}

/** Converts a part of a result. Audio has no form here: it becomes a sentence. */
function outputPart(given: ContentPart): ResponseFunctionCallOutputItem {
  const known = partKind(given)
  switch (known.kind) {
    case 'image':
      return { type: 'input_image', detail: 'auto', image_url: known.url }
    case 'file':
      return { type: 'input_file', filename: known.filename, file_data: known.url }
    case 'audio':
    case 'text':
      return { type: 'input_text', text: partText(given) }
  }
}

/** Returns the program that makes a call; nothing for a call of the model itself. */
function programOf({ caller }: ResponseFunctionToolCall): Pick<NamedCall, 'program'> {
  return caller?.type === 'program' ? { program: caller } : {}
}

/** A tool in a namespace is addressed like one of several owners. */
function addressOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
