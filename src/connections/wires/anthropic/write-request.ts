import type {
  BetaCacheControlEphemeral,
  BetaMessageParam,
  BetaTextBlockParam,
  BetaToolUnion,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { StepMessage } from '../../../entries/adapter.ts'
import type { WorkspaceStep } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import { customTool, writeConversation } from './anthropic-form.ts'
import { isObject } from '../../../kernel/json-value.ts'
import type { WorkspaceStep } from '../../../workspace/offer/begin-step.ts'
import type { StepMessage } from '../../../workspace/offer/conversation/history-message.ts'
import type { GroupedHistory } from '../../../workspace/conversation/group-history.ts'

/** Options that the host gives for its requests. */
export interface RequestOptions {
  readonly system?: string
  readonly tools?: readonly BetaToolUnion[]
  readonly cache?: '5m' | '1h' | false
}

/** The parts of a request that come from the workspace. */
interface WrittenRequest extends CachedParts {
  readonly betas: string[]
}

/**
 * Writes the request of a step.
 *
 * @param defers false when the provider takes no references to tools
 */
export function writeRequest(
  history: GroupedHistory<BetaMessageParam>,
  step: WorkspaceStep,
  defers: boolean,
  { system = '', tools: own = [], cache = '5m' }: RequestOptions,
): WrittenRequest {
  const tools = step.tools.map((tool) => customTool(tool, step.deferred.has(tool.name)))
  const names = new Set(defers ? tools.map(({ name }) => name) : [])
  const text = [system, step.instructions].filter((one) => one !== '').join('\n\n')
  const parts = {
    system: text === '' ? [] : [{ type: 'text' as const, text }],
    tools: [...own, ...tools],
    messages: writeConversation(history, step.messages, names),
  }
  const mark = { type: 'ephemeral' as const, ...(cache === '1h' && { ttl: cache }) }
  const marked = cache === false ? parts : withBreakpoints(parts, mark)
  return { ...marked, betas: betasFor(step.messages) }
}

const BY_VALUE = 'inline-tools-2026-09-15'

const BY_REFERENCE = 'mid-conversation-tool-changes-2026-07-01'

/** The betas that a conversation needs. The one for definitions covers references, too. */
function betasFor(messages: readonly StepMessage[]): string[] {
  const changes = messages.filter((message) => message.kind === 'tools')
  if (changes.length === 0) return []
  const isByValue = changes.some(({ additions }) => additions.some(({ known }) => !known))
  return [isByValue ? BY_VALUE : BY_REFERENCE]
}

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
function countMarks(value: unknown): number {
  let count = 0
  if (Array.isArray(value)) for (const one of value) count += countMarks(one)
  else if (isObject(value)) {
    count = Number(isObject(value['cache_control'])) + countMarks(value['content'])
  }
  return count
}
