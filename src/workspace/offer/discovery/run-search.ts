import type { SearchStop } from '../../../engine/model/discovery-event.ts'
import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import { withRelated } from '../../../search/related.ts'
import { rulesFor } from '../../../search/rules.ts'
import type { SearchAnswer } from '../../../search/rank/search-answer.ts'
import type { FoundItem, FoundToolItem } from './found-item.ts'
import { fitPage } from './fit-page.ts'
import { noFitPage } from './no-fit.ts'
import { offersOf, type Offers } from './offers.ts'
import { rankOffers } from './rank-offers.ts'
import { stopAfterEmpty, stopBefore, stopPage } from './search-guard.ts'
import type { SearchHost } from './search-host.ts'
import type { SearchPage } from './search-page.ts'
import { topicsOffered } from './topics-offered.ts'

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
const LONGEST_QUERY = 2_000
/** Characters of what a failed search says. */
const LONGEST_REASON = 200
/** A model that asks for more than these is asking for the whole catalog. */
const MOST = 25

/**
 * Search for a model: a start entry, the search, an entry with what it offered, which enables it,
 * and one with the rules it told. A search that is not done, because it would go round in a loop, has
 * its entries, too.
 */
export async function runSearch(
  host: SearchHost,
  { query: given, limit: wanted }: SearchRequest,
  { call, signal }: Pick<ToolContext, 'call' | 'signal'>,
): Promise<SearchPage> {
  const { discovery } = host
  const began = host.monotonic()
  const query = given.slice(0, LONGEST_QUERY).toWellFormed()
  const limit = Math.min(Math.max(1, Math.trunc(wanted ?? discovery.limit)), MOST)
  await host.record({ type: 'search.start', search: call.id, query, limit }, call)
  const stopped = stopBefore(host.state(), query, discovery.guard)
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
    latencyMs: Math.round(host.monotonic() - began),
    stopped: stop,
    degraded,
  })
  const searching =
    stopped === null
      ? lookFor(query, limit, host, signal)
      : Promise.resolve({ ...NOTHING, page: stopPage(stopped, host.state().found) })
  const { page, ...found } = await searching.catch(async (reason: unknown) => {
    await host.record(end(NOTHING, 'aborted', null), call)
    throw reason
  })
  await host.record(end(found, page.stopped ?? null, page.degraded ?? null), call)
  return { ...page, rules: await tellRules(found.items, host, call) }
}

/** The rules of what was found that the session was not told; an entry says that now it was. */
async function tellRules(
  items: readonly FoundItem[],
  { surroundings, state, record }: SearchHost,
  call: ToolContext['call'],
): Promise<string> {
  const tools = items.flatMap((item) => (item.kind === 'tool' ? [item.tool] : []))
  let told = rulesFor(surroundings.catalog, tools, state().rulesSent)
  if (told.topics.length === 0) return ''
  // Worked out again in its turn: of two searches at once only one tells what both found.
  await record(({ rulesSent }) => {
    told = rulesFor(surroundings.catalog, tools, rulesSent)
    return { type: 'rules.send', topics: told.topics }
  }, call)
  return told.text
}

const NOTHING: Omit<Found, 'page'> = {
  items: [],
  answer: { confidence: 0, route: 'lexical' },
}

async function lookFor(
  query: string,
  limit: number,
  host: SearchHost,
  signal: AbortSignal,
): Promise<Found> {
  const { surroundings, discovery, counter, means } = host
  const { catalog } = surroundings
  const offers = offersOf({ state: host.state(), surroundings, canLoad: means.loadSkill })
  const answer = await rankOffers({ query, limit, offers, host, signal })
  const { confidence, degraded } = answer
  const said = {
    confidence,
    ...(degraded !== undefined && { degraded: sanitiseLine(degraded.slice(0, LONGEST_REASON)) }),
  }
  const items = itemsOf(answer, limit, offers)
  if (items.length === 0) {
    const stop = stopAfterEmpty(host.state(), discovery.guard)
    const page =
      stop === null
        ? noFitPage({ query, topics: topicsOffered(catalog, offers), ...said })
        : stopPage(stop, host.state().found)
    return { ...NOTHING, answer, page: { ...page, ...said } }
  }
  const { page, shown } = fitPage({ items, means, ...said }, discovery.pageTokens, counter)
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
