import type { ToolSearch } from './rank/search-answer.ts'

/** A query and the expected names. */
export interface EvaluationQuery {
  readonly id?: string
  readonly query: string
  /** Empty when the right answer is empty. */
  readonly gold: readonly string[]
  /** For a name of `gold`, names that are equally right. */
  readonly alt?: Readonly<Record<string, readonly string[]>>
}

/** The result of one query. */
export interface QueryOutcome {
  readonly query: EvaluationQuery
  /** The names that were found, best first, at most ten. */
  readonly found: readonly string[]
  /** For each name of `gold` its rank from 1, or null when it is not among the ten. */
  readonly places: readonly (number | null)[]
  readonly confidence: number
  /** In the unit of the clock. */
  readonly took: number
}

/** The quality of a search on a set of queries. Means are over the queries with expected names. */
export interface Evaluation {
  /** Share of the expected names in the first, first five and first ten results. */
  readonly recall1: number
  readonly recall5: number
  readonly recall10: number
  /** Normalised discounted cumulative gain of the first ten, with equal weights. */
  readonly ndcg10: number
  /** Mean reciprocal rank of the first expected name. */
  readonly mrr: number
  /** The quality of empty answers. */
  readonly noMatch: NoMatch
  /** The time of one search, in the unit of the clock. */
  readonly latency: { readonly p50: number; readonly p99: number }
  readonly outcomes: readonly QueryOutcome[]
}

/** The quality of empty answers. */
export interface NoMatch {
  /** Queries whose right answer is empty. */
  readonly wanted: number
  /** Empty answers. */
  readonly given: number
  /** Share of the empty answers that were right; null without empty answers. */
  readonly precision: number | null
  /** Share of the `wanted` queries with an empty answer; null without such queries. */
  readonly recall: number | null
}

const DEEPEST = 10

/**
 * Runs queries against a search, one after the other, and measures the answers.
 *
 * @param now a clock, such as `() => performance.now()`; it is read twice per query
 */
export async function evaluate(
  search: ToolSearch,
  queries: readonly EvaluationQuery[],
  now: () => number,
): Promise<Evaluation> {
  const outcomes: QueryOutcome[] = []
  for (const query of queries) {
    const start = now()
    const { results, confidence } = await search.search(query.query, { limit: DEEPEST })
    const took = now() - start
    const found = results.map(({ name }) => name).slice(0, DEEPEST)
    outcomes.push({ query, found, places: rankGold(query, found), confidence, took })
  }
  return { ...summary(outcomes), outcomes }
}

/** Returns the rank of each expected name. A found name counts for one expected name only. */
function rankGold({ gold, alt = {} }: EvaluationQuery, found: readonly string[]) {
  const places = gold.map((): number | null => null)
  found.forEach((name, at) => {
    const index = gold.findIndex((right, one) => {
      const alternatives = Object.hasOwn(alt, right) ? alt[right] : undefined
      return places[one] === null && (right === name || alternatives?.includes(name) === true)
    })
    if (index >= 0) places[index] = at + 1
  })
  return places
}

function summary(outcomes: readonly QueryOutcome[]): Omit<Evaluation, 'outcomes'> {
  const answerable = outcomes.filter(({ query }) => query.gold.length > 0)
  const mean = (value: (outcome: QueryOutcome) => number) =>
    answerable.length === 0
      ? 0
      : answerable.reduce((sum, one) => sum + value(one), 0) / answerable.length
  const recall = (depth: number) =>
    mean(({ places }) => places.filter((at) => at !== null && at <= depth).length / places.length)
  const took = outcomes.map((one) => one.took).sort((a, b) => a - b)
  const at = (part: number) => took[Math.floor((took.length - 1) * part)] ?? 0
  return {
    recall1: recall(1),
    recall5: recall(5),
    recall10: recall(DEEPEST),
    ndcg10: mean(({ places }) => gain(places) / gain(places.map((_, index) => index + 1))),
    mrr: mean(({ places }) => 1 / Math.min(...places.map((place) => place ?? Infinity))),
    noMatch: measureEmpty(outcomes),
    latency: { p50: at(0.5), p99: at(0.99) },
  }
}

function gain(places: readonly (number | null)[]): number {
  return places
    .filter((at) => at !== null && at <= DEEPEST)
    .reduce<number>((sum, at) => sum + 1 / Math.log2((at ?? 0) + 1), 0)
}

function measureEmpty(outcomes: readonly QueryOutcome[]): NoMatch {
  const wanted = outcomes.filter(({ query }) => query.gold.length === 0)
  const given = outcomes.filter(({ found }) => found.length === 0)
  const right = given.filter(({ query }) => query.gold.length === 0).length
  return {
    wanted: wanted.length,
    given: given.length,
    precision: given.length === 0 ? null : right / given.length,
    recall: wanted.length === 0 ? null : right / wanted.length,
  }
}
