import type {
  BetaContentBlockParam,
  BetaMessageParam,
  BetaTool,
  BetaToolResultBlockParam,
  BetaToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import {
  providerName,
  providerTool,
  type StepMessage,
  type ToolAddition,
  type ToolChangeMessage,
} from '../../../entries/adapter.ts'
import type { Tool } from '../../../entries/index.ts'
import { identityMemo, memberMemo } from '../../../entries/kit.ts'
import { LOST_RESULT } from '../../../tools/response/model-text.ts'
import type {
  GroupedHistory,
  HistoryForm,
  ReadItem,
} from '../../../workspace/conversation/group-history.ts'
import type { NamedCall } from '../../../workspace/conversation/model-conversation.ts'
import type {
  StepMessage,
  ToolAddition,
  ToolChangeMessage,
} from '../../../workspace/offer/conversation/history-message.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

type Message = BetaMessageParam

type Block = BetaContentBlockParam

/**
 * Splits a message with results into one message for each result, and one for what follows them. Other messages
 * stay in one piece, those of the user as blocks: a text of the user would otherwise change its form when it is
 * marked for the cache.
 */
export const piecesOf: (message: Message) => readonly Message[] = memberMemo(splitMessage)

function splitMessage(message: Message): readonly Message[] {
  const { role, content } = message
  if (role !== 'user') return [message]
  if (typeof content === 'string') return [{ role, content: [{ type: 'text', text: content }] }]
  const results = content.filter((block) => block.type === 'tool_result')
  if (results.length === 0) return [message]
  const others = content.filter((block) => block.type !== 'tool_result')
  return [
    ...results.map((block): Message => ({ role, content: [block] })),
    ...(others.length > 0 ? [{ role, content: others }] : []),
  ]
}

/**
 * Returns the form of the messages of Anthropic, in pieces.
 *
 * @param ownName returns the name in the session of a tool to which a result refers
 */
export function anthropicForm(ownName: (sent: string) => string): HistoryForm<Message> {
  return {
    hasWholeAnswers: true,
    read: (piece) => readPiece(piece, ownName),
    lostResult: ({ id }) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: LOST_RESULT, is_error: true }],
    }),
  }
}

function readPiece(piece: Message, ownName: (sent: string) => string): ReadItem {
  const { role, content = [] } = piece
  const blocks = typeof content === 'string' ? [] : content
  if (role === 'assistant') {
    const calls = blocks.flatMap((block): readonly NamedCall[] =>
      block.type === 'tool_use'
        ? [{ id: block.id, name: block.name, input: block.input, ...programOf(block) }]
        : [],
    )
    return { role, calls }
  }
  const [result] = blocks
  if (result?.type !== 'tool_result') return { role }
  const { content: parts = '', tool_use_id: call, is_error: isError } = result
  const outcome = isError === true ? { outcome: 'failed' as const } : {}
  const inner = typeof parts === 'string' ? [] : parts
  const [first] = inner
  const text = typeof parts === 'string' ? parts : first?.type === 'text' ? first.text : ''
  const references = inner.flatMap((part) =>
    part.type === 'tool_reference' ? ownName(part.tool_name) : [],
  )
  if (references.length === 0) return { role: 'results', result: { call, text, ...outcome } }
  const sent = withoutReferences(result, () => true)
  return { role: 'results', result: { call, text, references, ...outcome }, sent }
}

/** Returns the program that makes a call; nothing for a call of the model itself. */
export function programOf({
  caller,
}: Pick<BetaToolUseBlockParam, 'caller'>): Pick<NamedCall, 'program'> {
  return caller === undefined || caller.type === 'direct' ? {} : { program: caller }
}

/** Removes those references to tools that are dead: the provider refuses a request with one of them. */
function withoutReferences<Kind extends Block>(
  block: Kind,
  isDead: (name: string) => boolean,
): Kind {
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return block
  const content = block.content.filter(
    (part) => part.type !== 'tool_reference' || !isDead(part.tool_name),
  )
  return content.length === block.content.length ? block : { ...block, content }
}

/**
 * Writes the conversation of a step. Results of one answer go into one message.
 *
 * @param tools the names under which the request has tools
 */
export function writeConversation(
  { leading, groups }: GroupedHistory<Message>,
  messages: readonly StepMessage[],
  tools: ReadonlySet<string>,
): Message[] {
  const written = messages.flatMap((message): readonly Message[] => {
    switch (message.kind) {
      case 'history': {
        const { items = [], message: read } = groups[message.index] ?? {}
        return read?.role === 'results' ? [resultsMessage(items, tools)] : items
      }
      case 'text':
        return [{ role: 'user', content: [{ type: 'text', text: message.text }] }]
      case 'tools':
        return [{ role: 'system', content: toolChanges(message) }]
    }
  })
  return [...leading, ...written]
}

function resultsMessage(items: readonly Message[], tools: ReadonlySet<string>): Message {
  const content = items.flatMap((item) =>
    typeof item.content === 'object' ? (item.content as readonly BetaToolResultBlockParam[]) : [],
  )
  return {
    role: 'user',
    content: content.map((block) => withoutReferences(block, (name) => !tools.has(name))),
  }
}

type ToolChanges = Exclude<Extract<Message, { role: 'system' }>['content'], string | undefined>

function toolChanges({ additions, removals }: ToolChangeMessage): ToolChanges {
  return [
    ...removals.map((name) => ({
      type: 'tool_removal' as const,
      tool: { type: 'tool_reference' as const, name: providerName(name, 'anthropic') },
    })),
    ...additions.map((addition) => ({ type: 'tool_addition' as const, tool: addedTool(addition) })),
  ]
}

function addedTool({ tool, known }: ToolAddition) {
  return known
    ? { type: 'tool_reference' as const, name: providerName(tool.name, 'anthropic') }
    : { type: 'tool_definition' as const, definition: customTool(tool) }
}

const written = identityMemo<BetaTool>()

/** Writes a definition, once, as the helpers of the SDK do, for `tools` and for the conversation. */
export function customTool(tool: Tool, isDeferred = false): BetaTool {
  return written([tool], String(isDeferred), () => ({
    type: 'custom',
    ...providerTool(tool, 'anthropic'),
    ...(isDeferred && { defer_loading: true }),
  }))
}
