import { DEFAULT_KEEPING, type FoundKeeping } from '../../../engine/model/discovery-event.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { ToolSearch } from '../../../search/rank/search-answer.ts'
import type { Agent, OnFound } from '../../../skills/definition/define-agent.ts'
import type { DeskParts } from '../../calls/desk-parts.ts'
import { checkedNumbers } from '../../commands/checked-numbers.ts'
import type { PageActions } from './fit-page.ts'
import type { LoopGuard } from './loop-guard.ts'

/** Options of search. Everything has a default: `{}` turns search on. */
export interface DiscoveryOptions {
  /** Ranks tools and skills; the catalog's own index when absent. */
  readonly search?: ToolSearch
  /** The way to call found tools of inactive skills; the agent's when absent, else `activate-on-call`. */
  readonly onFound?: OnFound
  /** Tools in one answer when the model gives no limit; 5 when absent. */
  readonly limit?: number
  /** Tokens of one answer, without its rules; 450 when absent. */
  readonly pageTokens?: number
  /** Limits of remembering found tools; 50 tools when absent. */
  readonly keep?: Partial<FoundKeeping>
  readonly guard?: Partial<LoopGuard>
  /** Patterns of tools that are shown from the start, in addition to those the agent pins. */
  readonly pinned?: readonly string[]
}

/** The options of a session with every default filled in. */
export interface Discovery extends Required<Omit<DiscoveryOptions, 'search' | 'keep' | 'guard'>> {
  readonly search: ToolSearch | null
  readonly keep: FoundKeeping
  readonly guard: LoopGuard
}

const DEFAULT_PAGE = { limit: 5, pageTokens: 450 }

const DEFAULT_GUARD: LoopGuard = { sameQuery: 1, emptyInARow: 3, flaps: 2 }

/** Settles the search of a session; null for a session without search, by host and agent. */
export function discoveryOf(
  options: DiscoveryOptions | undefined,
  agent: Agent | null,
): Discovery | null {
  return options === undefined && agent?.discovery === undefined
    ? null
    : settleDiscovery(options, agent)
}

/** The settings without options, by agent: its sessions share them. */
const defaultSettings = new WeakMap<object, Discovery>()
const WITHOUT_AGENT = {}

/**
 * Settles the search of a session that has one in any case, such as by its meta-tools.
 *
 * Throws `DISCOVERY_INVALID` for a number that is no limit.
 */
export function settleDiscovery(options?: DiscoveryOptions, agent: Agent | null = null): Discovery {
  if (options !== undefined) return settle(options, agent)
  const key = agent ?? WITHOUT_AGENT
  const settled = defaultSettings.get(key) ?? settle({}, agent)
  defaultSettings.set(key, settled)
  return settled
}

function settle(options: DiscoveryOptions, agent: Agent | null): Discovery {
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
export interface SearchParts extends Pick<DeskParts, 'clock' | 'store' | 'context' | 'dispatcher'> {
  readonly counter: TokenCounter
  readonly discovery: Discovery
  /** The ways the model can act on a page of results. */
  readonly actions: () => PageActions
}
