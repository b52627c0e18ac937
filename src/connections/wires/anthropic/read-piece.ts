import type {
  BetaContentBlockParam,
  BetaMessageParam,
  BetaToolResultBlockParam,
  BetaToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { ConversationForm, HistoryMessage } from '../../../entries/adapter.ts'
import type { AnthropicWire } from './anthropic-wire.ts'

type Message = BetaMessageParam

type Block = BetaContentBlockParam

/**
 * Splits a message with results into one message for each result, and one for what follows them. Other messages
 * stay in one piece, those of the user as blocks: a text of the user would otherwise change its form when it is
 * marked for the cache.
 */
export function splitMessage(message: Message): readonly Message[] {
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

/** Reads a piece of a message. */
export function readPiece(piece: Message): ReturnType<ConversationForm<AnthropicWire>['read']> {
  const { role, content = [] } = piece
  const blocks = typeof content === 'string' ? [] : content
  if (role === 'assistant') {
    const calls = blocks.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ id: block.id, name: block.name, input: block.input, ...readProgram(block) }]
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
  const references = inner.flatMap((part) => (part.type === 'tool_reference' ? part.tool_name : []))
  if (references.length === 0) return { role: 'results', result: { call, text, ...outcome } }
  const sent = withoutReferences(result, () => true)
  return { role: 'results', result: { call, text, references, ...outcome }, sent }
}

/** Returns the program that makes a call; nothing for a call of the model itself. */
export function readProgram({ caller }: Pick<BetaToolUseBlockParam, 'caller'>): {
  readonly program?: object
} {
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
 * Writes a group. Results of one answer go into one message.
 *
 * @param tools the names under which the request has tools
 */
export function writeGroup(
  items: readonly Message[],
  role: HistoryMessage['role'],
  tools: ReadonlySet<string>,
): readonly Message[] {
  if (role !== 'results') return items
  const content = items.flatMap((item) =>
    typeof item.content === 'object' ? (item.content as readonly BetaToolResultBlockParam[]) : [],
  )
  const live = content.map((block) => withoutReferences(block, (name) => !tools.has(name)))
  return [{ role: 'user', content: live }]
}
