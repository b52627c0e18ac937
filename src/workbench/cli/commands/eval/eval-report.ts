import { counted } from '../../../../entries/plan.ts'
import { sanitiseLine, truncateToWidth } from '../../../../entries/kit.ts'
import type { Evaluation, QueryOutcome } from '../../../../entries/search.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import type { EvalQuery } from './read-eval-queries.ts'

/** A name counts as found among the first five results. */
const DEPTH = 5
/** Names listed that a query found instead. */
const MOST_FOUND_LISTED = 3

/** A query with an expected name that is not among the first five results. */
interface EvalMiss {
  readonly line: number
  readonly query: string
  /** The expected names that were missed, with the rank of each, or null. */
  readonly missed: readonly { readonly name: string; readonly place: number | null }[]
  readonly found: readonly string[]
  readonly confidence: number
}

/** The output of `eval --json`. */
export interface EvalReport extends Omit<Evaluation, 'outcomes'> {
  readonly documents: number
  readonly queries: number
  /** Only with `--misses`. */
  readonly misses?: readonly EvalMiss[]
}

/** Returns the queries with missed names, or with results where none were expected. */
export function listMisses(
  outcomes: readonly QueryOutcome[],
  queries: readonly EvalQuery[],
): readonly EvalMiss[] {
  return outcomes.flatMap(({ query: { query, gold }, places, found, confidence }, at) => {
    const line = queries[at]?.line ?? 0
    const missed = gold.flatMap((name, index) => {
      const place = places[index] ?? null
      return place !== null && place <= DEPTH ? [] : [{ name, place }]
    })
    const isWrong = gold.length === 0 ? found.length > 0 : missed.length > 0
    return isWrong ? [{ line, query, missed, found, confidence }] : []
  })
}

/** Writes the figures, then the misses. */
export function writeEvalReport(report: EvalReport, context: CliContext): void {
  const { recall1, recall5, recall10, ndcg10, mrr, noMatch, latency, misses } = report
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const part = (value: number | null) => (value === null ? '-' : value.toFixed(3))
  say(`${counted(report.queries, 'query', 'queries')} over ${report.documents} tools and skills`)
  say('')
  say(`recall@1   ${part(recall1)}`)
  say(`recall@5   ${part(recall5)}`)
  say(`recall@10  ${part(recall10)}`)
  say(`nDCG@10    ${part(ndcg10)}`)
  say(`MRR        ${part(mrr)}`)
  const { wanted, given, precision, recall } = noMatch
  say(
    `no match   ${wanted} wanted, ${given} given, precision ${part(precision)}, recall ${part(recall)}`,
  )
  say(`latency    p50 ${latency.p50.toFixed(2)} ms, p99 ${latency.p99.toFixed(2)} ms`)
  if (misses === undefined) return
  say('')
  if (misses.length === 0) say('Every query found its names.')
  for (const { line, query, missed, found, confidence } of misses) {
    const names = missed.map(({ name, place }) =>
      place === null ? name : `${name} (rank ${place})`,
    )
    const wanted = names.length === 0 ? 'expects nothing' : `misses ${names.join(', ')}`
    const got = found.length === 0 ? 'nothing' : found.slice(0, MOST_FOUND_LISTED).join(', ')
    say(cut(`line ${line}: ${query}`, context))
    say(`  ${cut(`${wanted}; finds ${got}; confidence ${confidence.toFixed(2)}`, context, 2)}`)
  }
}

/** Sanitises a line, and on a terminal cuts it to the width. */
function cut(line: string, { isTerminal, columns }: CliContext, indent = 0): string {
  const safe = sanitiseLine(line)
  return isTerminal ? truncateToWidth(safe, columns - indent) : safe
}
