import type {
  BetaCacheControlEphemeral,
  BetaMessageParam,
  BetaTextBlockParam,
  BetaTool,
  BetaToolUnion,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import {
  type ConversationForm,
  providerName,
  providerTool,
  type ToolChangeMessage,
} from '../../../entries/adapter.ts'
import type { Tool } from '../../../entries/index.ts'
import type { AnthropicRequest, AnthropicWire } from './anthropic-wire.ts'

/** Writes the request of a step. */
export function writeRequest({
  step,
  options: { model, system: own = '', tools: first = [], cache = '5m', diagnostics },
  tools,
  leading,
  messages,
  compare,
  next,
}: Parameters<ConversationForm<AnthropicWire>['request']>[0]): AnthropicRequest {
  const text = [own, step.instructions].filter((one) => one !== '').join('\n\n')
  const parts = {
    system: text === '' ? [] : [{ type: 'text' as const, text }],
    tools: [...first, ...tools],
    messages: [...leading, ...messages],
  }
  const mark = { type: 'ephemeral' as const, ...(cache === '1h' && { ttl: cache }) }
  const { system, ...marked } = cache === false ? parts : withBreakpoints(parts, mark)
  const additions = step.messages.flatMap((one) => (one.kind === 'tools' ? one.additions : []))
  const changes = step.messages.some(({ kind }) => kind === 'tools')
  // The beta for definitions covers references, too.
  const isByValue = additions.some(({ known }) => !known)
  const betas = changes ? [isByValue ? BY_VALUE : BY_REFERENCE] : []
  return {
    ...(model !== undefined && { model }),
    ...(system.length > 0 && { system }),
    ...marked,
    ...(betas.length > 0 && { betas }),
    ...(diagnostics === true && { diagnostics: { previous_message_id: compare ?? null } }),
    ...next,
  }
}

const BY_VALUE = 'inline-tools-2026-09-15'

const BY_REFERENCE = 'mid-conversation-tool-changes-2026-07-01'

/** The parts of a request that the provider caches. */
interface CachedParts {
  readonly system: BetaTextBlockParam[]
  readonly tools: BetaToolUnion[]
  readonly messages: BetaMessageParam[]
}

/** Most breakpoints that the provider takes. */
const LIMIT = 4

/** Breakpoints in the conversation: the next request finds the last one, and this request the one before. */
const IN_MESSAGES = 2

/**
 * Sets the breakpoints of a request: at the end of the tools and the system text, and at the ends of the last
 * two turns of the user. They are no content. Breakpoints of the host take the place of these.
 */
export function withBreakpoints(parts: CachedParts, mark: BetaCacheControlEphemeral): CachedParts {
  const { system, tools, messages } = parts
  const free = LIMIT - countMarks([system, tools, messages])
  if (free <= 0) return parts
  const marked = <Block extends object>(block: Block): Block => ({ ...block, cache_control: mark })
  const head = system.length > 0 ? -1 : tools.findLastIndex((tool) => !isDeferred(tool))
  const ends = messages.flatMap(({ role }, index) => {
    const next = messages[index + 1]
    return role !== 'assistant' && (!next || next.role === 'assistant') ? index : []
  })
  const count = Math.min(IN_MESSAGES, free - 1)
  const chosen = new Set(ends.slice(ends.length - count))
  return {
    system: system.map((block, index) => (index === system.length - 1 ? marked(block) : block)),
    tools: tools.map((tool, index) => (index === head ? marked(tool) : tool)),
    messages: messages.map((message, index) => {
      const { content } = message
      if (!chosen.has(index) || typeof content !== 'object') return message
      const last = content.at(-1)
      return last === undefined
        ? message
        : ({ ...message, content: [...content.slice(0, -1), marked(last)] } as BetaMessageParam)
    }),
  }
}

function isDeferred(tool: BetaToolUnion): boolean {
  return 'defer_loading' in tool && tool.defer_loading === true
}

/** Counts the breakpoints in blocks, and in the blocks of results. */
export function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countMarks(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  const { cache_control: mark, content } = value as { cache_control?: unknown; content?: unknown }
  return Number(typeof mark === 'object' && mark !== null) + countMarks(content)
}

/** Writes a change of the tools as a message of the system. */
export function toolChanges(
  { additions, removals }: ToolChangeMessage,
  write: (tool: Tool) => BetaTool,
): readonly BetaMessageParam[] {
  const reference = (name: string) => {
    return { type: 'tool_reference' as const, name: providerName(name, 'anthropic') }
  }
  const content = [
    ...removals.map((name) => ({ type: 'tool_removal' as const, tool: reference(name) })),
    ...additions.map(({ tool, known }) => ({
      type: 'tool_addition' as const,
      tool: known
        ? reference(tool.name)
        : { type: 'tool_definition' as const, definition: write(tool) },
    })),
  ]
  return [{ role: 'system', content }]
}

/** Writes a definition as the helpers of the SDK do, for `tools` and for the conversation. */
export function customTool(tool: Tool, isDeferred: boolean): BetaTool {
  return {
    type: 'custom',
    ...providerTool(tool, 'anthropic'),
    ...(isDeferred && { defer_loading: true }),
  }
}
