import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Cause } from '../../../engine/model/cause.ts'
import type { SearchStop } from '../../../engine/model/discovery-event.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import type { SearchAnswer } from '../../../search/rank/search-answer.ts'
import { rulesFor, withRelated } from '../../../search/rules-for.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import { causeOfHandler } from '../../calls/run-call.ts'
import type { SearchParts } from './discovery-options.ts'
import { fitPage } from './fit-page.ts'
import { stopAfterEmpty, stopBefore, stopPage } from './loop-guard.ts'
import { type Offers, offersOf } from './offers.ts'
import { rankOffers } from './rank-offers.ts'
import type { FoundItem, FoundToolItem, SearchPage } from './search-page.ts'

interface SearchRequest {
  readonly query: string
  /** Tools and skills together; the session's own when absent. */
  readonly limit?: number | null | undefined
}

/** What a search came to: the answer, and what the log is told of it. */
interface Found {
  readonly page: SearchPage
  readonly items: readonly FoundItem[]
  readonly answer: Pick<SearchAnswer, 'confidence' | 'route'>
}

/** Characters of a query that are looked at. */
const MAX_QUERY_LENGTH = 2_000

/** Characters of what a failed search says. */
const MAX_REASON_LENGTH = 200

/** A model that asks for more than these is asking for the whole catalog. */
const MAX_RESULTS = 25

/**
 * Search for a model: a start entry, the search, an entry with what it offered, which enables it,
 * and one with the rules it told. A search that is not done, because it would go round in a loop, has
 * its entries, too.
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
  await dispatcher.dispatch({ type: 'search.start', search: call.id, query, limit }, cause)
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
      : Promise.resolve({ ...NOTHING, page: stopPage(stopped, store.getState().state.found) })
  const { page, ...found } = await searching.catch(async (reason: unknown) => {
    await dispatcher.dispatch(end(NOTHING, 'aborted', null), cause)
    throw reason
  })
  await dispatcher.dispatch(end(found, page.stopped ?? null, page.degraded ?? null), cause)
  return { ...page, rules: await recordRules(found.items, parts, cause) }
}

/** The rules of what was found that the session was not told; an entry says that now it was. */
async function recordRules(
  items: readonly FoundItem[],
  { surroundings, store, dispatcher }: SearchParts,
  cause: Cause,
): Promise<string> {
  const tools = items.flatMap((item) => (item.kind === 'tool' ? [item.tool] : []))
  let told = rulesFor(surroundings.catalog, tools, store.getState().state.rulesSent)
  if (told.topics.length === 0) return ''
  // Worked out again in its turn: of two searches at once only one tells what both found.
  await dispatcher.dispatch(({ rulesSent }) => {
    told = rulesFor(surroundings.catalog, tools, rulesSent)
    return { type: 'rules.send', topics: told.topics }
  }, cause)
  return told.text
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
  const { store, surroundings, discovery, counter, actions } = parts
  const { catalog } = surroundings
  const offers = offersOf(store.getState().state, surroundings, actions.loadSkill)
  const answer = await rankOffers(query, limit, offers, parts, signal)
  const { confidence, degraded } = answer
  const said = {
    confidence,
    ...(degraded !== undefined && { degraded: sanitiseLine(degraded.slice(0, MAX_REASON_LENGTH)) }),
  }
  const items = itemsOf(answer, limit, offers)
  if (items.length === 0) {
    const { state } = store.getState()
    const stop = stopAfterEmpty(state, discovery.guard)
    const page =
      stop === null
        ? noFitPage({ query, topics: topicsOffered(catalog, offers), ...said })
        : stopPage(stop, state.found)
    return { ...NOTHING, answer, page: { ...page, ...said } }
  }
  const { page, shown } = fitPage({ items, actions, ...said }, discovery.pageTokens, counter)
  return { answer, items: shown, page }
}

/** What may be offered of an answer, and what goes with it, within the limit. */
function itemsOf({ results }: SearchAnswer, limit: number, offers: Offers): readonly FoundItem[] {
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

/** Characters of a query that are told back. */
const MAX_QUERY_ECHO = 120

/** Topics that are still told one by one. */
const MAX_LISTED_TOPICS = 12

interface NoFit {
  readonly query: string
  /** Subjects of the tools that could be found. */
  readonly topics: readonly string[]
  readonly confidence: number
  readonly degraded?: string
}

/** The answer to a query that nothing fits: what to try, and that no tool may be needed. */
function noFitPage({ query, topics, confidence, degraded }: NoFit): SearchPage {
  const told = sanitiseLine(query.slice(0, MAX_QUERY_ECHO).toWellFormed())
  const sentences = [
    `Nothing fits "${told}".`,
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

/** More topics than these are never told, so they are not looked at. */
const MAX_TOPICS = 40

const topicCache = new WeakMap<Catalog, ReadonlyMap<string, readonly string[]>>()

/** The topics of the tools a session may be offered, in the catalog's order; empty when there are many. */
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
