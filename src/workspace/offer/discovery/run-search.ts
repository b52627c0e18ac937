import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Cause } from '../../../engine/model/cause.ts'
import type { SearchStop } from '../../../engine/model/discovery-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { sentName } from '../../../engine/standing/assess.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import type { SearchAnswer } from '../../../search/rank/search-answer.ts'
import { rulesFor, withRelated } from '../../../search/rules-for.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import { causeOfHandler } from '../../calls/run-call.ts'
import type { SearchParts } from './discovery-options.ts'
import { fitPage } from './fit-page.ts'
import { type SearchLoop, stopAfterEmpty, stopBefore } from './loop-guard.ts'
import { type Offers, offersOf } from './offers.ts'
import { rankOffers } from './rank-offers.ts'
import type { FoundItem, FoundToolItem, SearchPage } from './search-page.ts'

interface SearchRequest {
  readonly query: string
  /** Tools and skills together; the session's limit when absent. */
  readonly limit?: number | null | undefined
}

/** The outcome of a search: the answer, and what the log records of it. */
interface Found {
  readonly page: SearchPage
  readonly items: readonly FoundItem[]
  readonly answer: Pick<SearchAnswer, 'confidence' | 'route'>
}

/** Characters of a query that are searched. */
const MAX_QUERY_LENGTH = 2_000

/** Characters of the message of a failed search. */
const MAX_REASON_LENGTH = 200

/** The most results: a model that wants more wants the complete catalog. */
const MAX_RESULTS = 25

/**
 * Searches for a model, and logs it: a start entry, an entry with the results, which makes them callable,
 * and an entry with the rules that were sent. A search that is stopped as a loop has its entries, too.
 */
export async function runSearch(
  parts: SearchParts,
  { query: given, limit: wanted }: SearchRequest,
  { call, signal }: Pick<ToolContext, 'call' | 'signal'>,
): Promise<SearchPage> {
  const { discovery, clock, store, dispatcher } = parts
  const cause = causeOfHandler(call)
  const began = clock.monotonic()
  const query = given.slice(0, MAX_QUERY_LENGTH).toWellFormed()
  const limit = Math.min(Math.max(1, Math.trunc(wanted ?? discovery.limit)), MAX_RESULTS)
  const start = { type: 'search.start', search: call.id, query, limit } as const
  await dispatcher.dispatch(start, cause, { callOf: call.tool })
  const stopped = stopBefore(store.getState().state, query, discovery.guard)
  const end = (
    { items, answer }: Omit<Found, 'page'>,
    stop: SearchStop | null,
    degraded: string | null,
  ) => ({
    type: 'search.end' as const,
    search: call.id,
    query,
    found: items.flatMap((item) => (item.kind === 'tool' ? [foundTool(item)] : [])),
    skills: items.flatMap((item) => (item.kind === 'skill' ? [item.name] : [])),
    confidence: answer.confidence,
    route: answer.route,
    latencyMs: Math.round(clock.monotonic() - began),
    stopped: stop,
    degraded,
  })
  const searching =
    stopped === null
      ? search(query, limit, parts, signal)
      : Promise.resolve({ ...NOTHING, page: stopPage(stopped, store.getState().state, parts) })
  const { page, ...found } = await searching.catch(async (reason: unknown) => {
    await dispatcher.dispatch(end(NOTHING, 'aborted', null), cause, { callOf: call.tool })
    throw reason
  })
  const ended = end(found, page.stopped ?? null, page.degraded ?? null)
  await dispatcher.dispatch(ended, cause, { callOf: call.tool })
  return { ...page, rules: await recordRules(found.items, parts, cause) }
}

/** Returns the rules of found tools that the session was not sent yet, and logs that they are sent. */
async function recordRules(
  items: readonly FoundItem[],
  { context, store, dispatcher }: SearchParts,
  cause: Cause,
): Promise<string> {
  const tools = items.flatMap((item) => (item.kind === 'tool' ? [item.tool] : []))
  const { catalog, namesFor } = context
  let rules = rulesFor(catalog, tools, store.getState().state.rulesSent, namesFor)
  if (rules.topics.length === 0) return ''
  // Computed again in its turn: of two simultaneous searches, only one sends the rules that both found.
  await dispatcher.dispatch(({ rulesSent }) => {
    rules = rulesFor(catalog, tools, rulesSent, namesFor)
    return { type: 'rules.send', topics: rules.topics }
  }, cause)
  return rules.text
}

const NOTHING: Omit<Found, 'page'> = {
  items: [],
  answer: { confidence: 0, route: 'lexical' },
}

async function search(
  query: string,
  limit: number,
  parts: SearchParts,
  signal: AbortSignal,
): Promise<Found> {
  const { store, context, discovery, counter } = parts
  const actions = parts.actions()
  const { catalog } = context
  const offers = offersOf(store.getState().state, context, actions.loadSkill)
  const answer = await rankOffers(query, limit, offers, parts, signal)
  const { confidence, degraded } = answer
  const facts = {
    confidence,
    ...(degraded !== undefined && { degraded: sanitiseLine(degraded.slice(0, MAX_REASON_LENGTH)) }),
  }
  const items = offeredItems(answer, limit, offers)
  if (items.length === 0) {
    const { state } = store.getState()
    const stop = stopAfterEmpty(state, discovery.guard)
    const page =
      stop === null
        ? noFitPage({ query, topics: topicsOffered(catalog, offers), ...facts })
        : stopPage(stop, state, parts)
    return { ...NOTHING, answer, page: { ...page, ...facts } }
  }
  const { page, shown } = fitPage({ items, actions, ...facts }, discovery.pageTokens, counter)
  return { answer, items: shown, page }
}

/** Returns the results that may be offered, and related tools, within the limit. */
function offeredItems(
  { results }: SearchAnswer,
  limit: number,
  offers: Offers,
): readonly FoundItem[] {
  const found = results.flatMap(({ name, kind }) => offers.of(name, kind) ?? [])
  const unique = [...new Map(found.map((item) => [keyOf(item), item])).values()]
  const all = withRelated(unique, limit, (item) => offers.relatedTo(item), keyOf)
  return offers.together(all)
}

function keyOf(item: FoundItem): string {
  return item.kind === 'skill' ? `skill ${item.name}` : `${item.tool.hash} ${item.owner}`
}

function foundTool({ name, owner, source, tool }: FoundToolItem) {
  return { name, owner, source, hash: tool.hash }
}

/** Characters of a query that are repeated in the answer. */
const MAX_QUERY_ECHO = 120

/** The most topics that an answer lists. */
const MAX_LISTED_TOPICS = 12

interface NoFit {
  readonly query: string
  /** Topics of the tools that could be found. */
  readonly topics: readonly string[]
  readonly confidence: number
  readonly degraded?: string
}

/** Builds the answer to a query without results: what to try, and that perhaps no tool is needed. */
function noFitPage({ query, topics, confidence, degraded }: NoFit): SearchPage {
  const shown = sanitiseLine(query.slice(0, MAX_QUERY_ECHO).toWellFormed())
  const sentences = [
    `Nothing fits "${shown}".`,
    'Try the action and the thing in a few specific words, such as "create page",',
    'or say it in other words.',
    topics.length > 0 &&
      topics.length <= MAX_LISTED_TOPICS &&
      `Topics: ${topics.map(sanitiseLine).join(', ')}.`,
    'If no tool is needed, answer directly.',
  ]
  return {
    tools: [],
    skills: [],
    rules: '',
    instruction: sentences.filter((one) => one !== false).join(' '),
    confidence: Math.round(confidence * 100) / 100,
    shortened: [],
    ...(degraded !== undefined && { degraded }),
  }
}

/** A catalog with more topics lists none of them, so they are not judged. */
const MAX_TOPICS = 40

const topicCache = new WeakMap<Catalog, ReadonlyMap<string, readonly string[]>>()

/** Returns the topics of the tools that may be offered, in the catalog's order; none when there are many. */
function topicsOffered(catalog: Catalog, offers: Offers): readonly string[] {
  const topics = topicCache.get(catalog) ?? namesByTopic(catalog)
  topicCache.set(catalog, topics)
  if (topics.size > MAX_TOPICS) return []
  return [...topics].flatMap(([topic, names]) =>
    names.some((name) => offers.of(name, 'tool') !== null) ? [topic] : [],
  )
}

function namesByTopic({ toolsByHash }: Catalog): ReadonlyMap<string, readonly string[]> {
  const byTopic = new Map<string, string[]>()
  for (const { name, topic } of toolsByHash.values()) {
    if (topic === undefined) continue
    const names = byTopic.get(topic)
    if (names) names.push(name)
    else byTopic.set(topic, [name])
  }
  return byTopic
}

/** The most found tools that are named again. */
const MAX_NAMED = 10

/** Builds the answer that ends a loop, with the reason and what to do instead. */
function stopPage(
  stopped: SearchLoop,
  { found }: WorkspaceState,
  { context: { namesFor } }: SearchParts,
): SearchPage {
  const names = found.slice(-MAX_NAMED).map(({ name }) => sanitiseLine(sentName(name, namesFor)))
  const instruction = [
    {
      'same-query': 'Stop: this search was made before in this turn, and finds the same again.',
      'empty-results': 'Stop searching: nothing was found several times in a row.',
    }[stopped],
    names.length > 0 && `Tools found so far: ${names.join(', ')}.`,
    'Continue with what there is, or say what cannot be done.',
  ].filter((one) => one !== false)
  return {
    tools: [],
    skills: [],
    rules: '',
    instruction: instruction.join(' '),
    confidence: 0,
    shortened: [],
    stopped,
  }
}
