import type {
  BetaContentBlockParam,
  BetaMessage,
  BetaMessageParam,
  BetaToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { ConversationForm } from '../../../entries/adapter.ts'
import type { AnthropicWire } from './anthropic-wire.ts'
import { readProgram } from './read-piece.ts'

type Form = ConversationForm<AnthropicWire>

type Results = Parameters<Form['results']>[0]

type Part = NonNullable<Results[number]['parts']>[number]

/**
 * Reads an answer.
 *
 * It is sent back unchanged, thinking included, except for what the provider refuses: empty texts, members that
 * the SDK adds, and, of an answer that was cut, thinking and calls of the provider's own tools that led to nothing. Of an answer that the provider refused to finish, or that did not end, nothing is sent back
 * and no call runs.
 */
export function readAnswer({
  content,
  stop_reason: reason,
  container,
}: BetaMessage): ReturnType<Form['answer']> {
  if (!reason) return null
  const isRefused = reason === 'refusal'
  const isCut = isRefused || reason === 'max_tokens' || reason === 'model_context_window_exceeded'
  const end = isCut ? content.findLastIndex(({ type }) => !LEADS_ON.has(type)) + 1 : content.length
  const blocks = content.slice(0, end).filter((block) => block.type !== 'text' || block.text !== '')
  const calls = blocks.flatMap((block, index) => {
    if (block.type !== 'tool_use') return []
    const { id, name, input } = block
    return [{ id, name, input, ...readProgram(block), isCut: isCut && index === blocks.length - 1 }]
  })
  const isPaused = reason === 'pause_turn' || reason === 'compaction'
  const isOfProgram = calls.some(({ program }) => program !== undefined)
  return {
    status: isCut ? 'cut' : isPaused ? 'continue' : 'done',
    ...(isRefused && { stopped: reason }),
    calls,
    items: (made) => {
      if (blocks.length === 0 || isRefused) return []
      let next = 0
      const sent = blocks.map((block): BetaContentBlockParam => {
        if (block.type === 'tool_use') {
          const { name = '', input = {} } = made[next++] ?? {}
          return { ...block, name, input }
        }
        if (!('parsed_output' in block)) return block as BetaContentBlockParam
        const { parsed_output: _, ...without } = block
        return without as BetaContentBlockParam
      })
      return [{ role: 'assistant', content: sent }]
    },
    next: isOfProgram && container?.id ? { container: container.id } : {},
  }
}

/** Reads the tokens of an answer. Those of the cache are not among the provider's "input_tokens". */
export function readUsage({
  id,
  model,
  usage,
  diagnostics,
}: Partial<BetaMessage>): ReturnType<NonNullable<Form['usage']>> {
  if (usage?.input_tokens === undefined) return null
  const cached = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  const { ephemeral_1h_input_tokens: forAnHour = 0 } = usage.cache_creation ?? {}
  const { thinking_tokens: reasoning } = usage.output_tokens_details ?? {}
  const miss = diagnostics?.cache_miss_reason
  const missed = miss && 'cache_missed_input_tokens' in miss && miss.cache_missed_input_tokens
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    usage: {
      input: usage.input_tokens + cached + written,
      cached,
      written,
      output: usage.output_tokens,
      ...(reasoning !== undefined && { reasoning }),
    },
    ...(miss && {
      diagnosis: { reason: miss.type, ...(typeof missed === 'number' && { missed }) },
    }),
    ...(forAnHour > 0 && { lifetimeMs: 3_600_000 }),
  }
}

/** Blocks that an answer does not end with. */
const LEADS_ON: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
])

type ResultPart = Exclude<BetaToolResultBlockParam['content'], string | undefined>[number]

/** Returns the message with the results of calls. A tool that they name comes with a reference. */
export function resultsMessage(results: Results): readonly BetaMessageParam[] {
  return results.length === 0 ? [] : [{ role: 'user', content: results.map(resultBlock) }]
}

function resultBlock({
  id,
  text,
  parts,
  isError,
  references,
}: Results[number]): BetaToolResultBlockParam {
  const blocks: ResultPart[] = [
    ...(parts?.map(partBlock) ?? [{ type: 'text' as const, text }]),
    ...references.map((name) => ({ type: 'tool_reference' as const, tool_name: name })),
  ].filter((block) => block.type !== 'text' || block.text !== '')
  const isText = parts === undefined && references.length === 0
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: isText ? text : blocks,
    ...(isError && { is_error: true }),
  }
}

/** Converts a part of a result. Audio has no form here: it becomes a sentence. */
function partBlock(part: Part): ResultPart {
  switch (part.kind) {
    case 'image': {
      const { mediaType: media_type, data } = part
      return { type: 'image', source: { type: 'base64', media_type, data } }
    }
    case 'file': {
      const { mediaType: media_type, data, name } = part
      const source = { type: 'base64' as const, media_type, data }
      return { type: 'document', source, ...(name !== undefined && { title: name }) }
    }
    case 'audio':
    case 'text':
      return { type: 'text', text: part.text }
  }
}
