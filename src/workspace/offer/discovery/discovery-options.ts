import { DEFAULT_KEEPING, type FoundKeeping } from '../../../engine/model/discovery-event.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { ToolSearch } from '../../../search/rank/search-answer.ts'
import type { Agent, OnFound } from '../../../skills/definition/define-agent.ts'
import type { CallPipelineParts } from '../../calls/call-pipeline-parts.ts'
import { checkedNumbers } from '../../calls/checked-numbers.ts'
import type { PageActions } from './fit-page.ts'
import type { LoopGuard } from './loop-guard.ts'

/** How a session finds its tools. Everything has a default: `{}` turns search on. */
export interface DiscoveryOptions {
  /** Who ranks; the catalog's own index when absent. */
  readonly search?: ToolSearch
  /** The agent's when absent, else `activate-on-call`. */
  readonly onFound?: OnFound
  /** Tools in one answer when the model asks for no number; 5. */
  readonly limit?: number
  /** Tokens of one answer, rules apart; 450. */
  readonly pageTokens?: number
  /** How long found tools are remembered; until there are 50 of them. */
  readonly keep?: Partial<FoundKeeping>
  readonly guard?: Partial<LoopGuard>
  /** Patterns of tools shown from the start, beside those the agent pins. */
  readonly pinned?: readonly string[]
}

/** The options of a session with every default in its place. */
export interface Discovery extends Required<Omit<DiscoveryOptions, 'search' | 'keep' | 'guard'>> {
  readonly search: ToolSearch | null
  readonly keep: FoundKeeping
  readonly guard: LoopGuard
}

const DEFAULT_PAGE = { limit: 5, pageTokens: 450 }

const DEFAULT_GUARD: LoopGuard = { sameQuery: 1, emptyInARow: 3, flaps: 2 }

/** Settle how a session discovers; null for one that does not, because neither host nor agent says so. */
export function discoveryOf(
  options: DiscoveryOptions | undefined,
  agent: Agent | null,
): Discovery | null {
  return options === undefined && agent?.discovery === undefined
    ? null
    : settleDiscovery(options, agent)
}

/**
 * The same for a session that is offered a search in any case: by its meta-tools, say.
 *
 * Throws `DISCOVERY_INVALID` for numbers that limit nothing.
 */
export function settleDiscovery(
  options: DiscoveryOptions = {},
  agent: Agent | null = null,
): Discovery {
  const { search = null, onFound, keep, guard, pinned, ...page } = options
  const code = 'DISCOVERY_INVALID'
  return {
    search,
    onFound: onFound ?? agent?.discovery ?? 'activate-on-call',
    ...checkedNumbers(page, {
      option: 'discovery',
      code,
      defaults: DEFAULT_PAGE,
      others: ['search', 'onFound', 'keep', 'guard', 'pinned'],
      positive: ['limit', 'pageTokens'],
    }),
    keep: checkedNumbers(keep, {
      option: 'discovery.keep',
      code,
      defaults: DEFAULT_KEEPING,
      others: ['turns', 'idleTurns'],
    }),
    guard: checkedNumbers(guard, { option: 'discovery.guard', code, defaults: DEFAULT_GUARD }),
    pinned: [...(agent?.pinned ?? []), ...(pinned ?? [])],
  }
}

/** The parts of a session that a search works with. */
export interface SearchParts extends CallPipelineParts {
  readonly counter: TokenCounter
  readonly discovery: Discovery
  /** What the model can do with a page of results. */
  readonly actions: PageActions
}
