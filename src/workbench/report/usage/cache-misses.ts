import type { Entry, WorkspaceEvent } from '../../../entries/index.ts'
import type { ProviderFacts } from '../../../entries/adapter.ts'
import { requestTokens, sessionUsage, type StepCost } from '../../../entries/plan.ts'
import { causeOfLoss, type DescribedLoss, describeLosses } from '../facts/cause-of-loss.ts'
import type { CacheMiss } from './session-usage.ts'

type BegunStep = Extract<WorkspaceEvent, { readonly type: 'step.begun' }>

type Report = Extract<WorkspaceEvent, { readonly type: 'step.reported' }>

/** A request with its report, and what happened since the request before. */
interface Request {
  readonly at: number
  readonly seq: number
  readonly begun: BegunStep
  readonly isCompacted: boolean
  report?: Report
}

/** Tokens, and the share of them, that counts of a provider may differ by without a cause. */
const SLACK = { tokens: 64, share: 0.05 }

/**
 * Finds the requests of a session that had to read again what the one before had, with the cause of each. Where the
 * provider reported its cache, this decides; else what the log says of the requests.
 *
 * @param from the number of the first entry that counts
 */
export function cacheMisses(
  entries: readonly Entry[],
  facts: ProviderFacts,
  from = 0,
): readonly CacheMiss[] {
  const requests = readRequests(entries)
  const losses = new Map(describeLosses(entries).map((one) => [one.step, one]))
  const deviations = new Map(
    sessionUsage(entries, facts).steps.map(({ step, deviation }) => [step, deviation]),
  )
  return requests.flatMap((now, index) => {
    const before = requests[index - 1]
    if (before === undefined || now.seq < from) return []
    const { step, cost } = now.begun
    const loss = losses.get(step)
    const counted = countMiss(before, now, facts)
    // What the provider read again is known; a loss without its report is an estimate.
    const tokens = counted ?? (loss && cost ? estimateMiss(cost, facts) : 0)
    const deviation = deviations.get(step)
    // What was too short for the cache was never in it.
    if (tokens <= 0 || deviation?.kind === 'below-minimum') return []
    const isUnwritten = now.report !== undefined && !now.report.usage.written
    const price = tokens * ((isUnwritten ? 1 : facts.write) - facts.read)
    const cause = loss
      ? { ...causeIn(loss, entries, now), what: loss.why ?? '' }
      : deviation && !['unknown', 'earlier-request'].includes(deviation.kind)
        ? { cause: KINDS[deviation.kind] ?? deviation.kind, what: deviation.why, who: null }
        : causeBetween(before, now, facts)
    const isEstimate = counted === null
    return [{ step, ...cause, tokens: Math.round(tokens), price: Math.round(price), isEstimate }]
  })
}

function readRequests(entries: readonly Entry[]): readonly Request[] {
  const requests: Request[] = []
  let isCompacted = false
  for (const { seq, at, event } of entries) {
    if (event.type === 'session.compacted') isCompacted = true
    if (event.type === 'step.begun') {
      requests.push({ at, seq, begun: event, isCompacted })
      isCompacted = false
    }
    const last = requests.at(-1)
    if (event.type === 'step.reported' && last?.begun.step === event.step) last.report = event
  }
  return requests
}

/** Returns the tokens that a provider read again, by its own counts; null where it did not report them. */
function countMiss(before: Request, now: Request, facts: ProviderFacts): number | null {
  const [earlier, usage] = [before.report?.usage, now.report?.usage]
  if (earlier === undefined || usage?.cached === undefined) return null
  // A server whose facts are assumed may not report its cache.
  if (facts.name === 'compatible' && usage.cached === 0) return null
  // What was summarised is in no request.
  const again = Math.min(earlier.input, usage.input)
  if (again < facts.minimum) return 0
  const slack = SLACK.tokens + facts.grain + again * SLACK.share
  return again - usage.cached > slack ? again - usage.cached : 0
}

function estimateMiss(cost: StepCost, { minimum }: ProviderFacts): number {
  const again = Math.min(cost.previous, requestTokens(cost))
  return again < minimum ? 0 : again - (cost.kept < minimum ? 0 : cost.kept)
}

/** Causes that the provider's report shows, in the words of the report. */
const KINDS: Readonly<Record<string, string>> = {
  'time-to-live': 'time',
  'other-model': 'model',
  'host-change': 'settings',
}

/** Returns the kind of a loss, and the one behind it. */
function causeIn(
  { segment, part, owner }: DescribedLoss,
  entries: readonly Entry[],
  { seq, begun }: Request,
): Pick<CacheMiss, 'cause' | 'who'> {
  const within = begun.cost?.changed?.text?.within
  if (part === 'model') return { cause: 'model', who: null }
  if (owner !== null && owner !== 'agent') return { cause: segment, who: owner }
  if (segment !== 'tools' && within !== undefined) return { cause: 'memory', who: within }
  const entry = causeOfLoss(entries, seq - 1, { segment, part })
  if (entry?.event.type === 'session.compacted') return { cause: 'compaction', who: 'agent' }
  const by = entry?.cause.by ?? 'host'
  return { cause: segment, who: owner ?? (by === 'host' ? null : by) }
}

/** Finds what changed between two requests of which the log does not have all parts. */
function causeBetween(
  before: Request,
  now: Request,
  facts: ProviderFacts,
): Pick<CacheMiss, 'cause' | 'what' | 'who'> {
  if (now.isCompacted)
    return { cause: 'compaction', what: 'The conversation was compacted.', who: 'agent' }
  const [old, fresh] = [before.report?.model, now.report?.model]
  if (old !== fresh && old !== undefined && fresh !== undefined)
    return { cause: 'model', what: `The model changed: "${old}" became "${fresh}".`, who: null }
  const texts = new Map(before.begun.sections.map(({ id, hash }) => [id, hash]))
  const changed = now.begun.sections.find(({ id, hash }) => texts.get(id) !== hash)
  if (changed && changed.id.startsWith('system-'))
    return { cause: 'instructions', what: `"${changed.title ?? changed.id}" changed.`, who: null }
  const idle = now.at - before.at
  const { lifetimeMs = facts.lifetimeMs ?? Infinity } = now.report ?? {}
  if (idle > lifetimeMs)
    return {
      cause: 'time',
      what: `No request for ${Math.round(idle / 60_000)} minutes.`,
      who: null,
    }
  const isUncached = [before, now].every(({ report }) => {
    const { cached = 0, written = 0 } = report?.usage ?? {}
    return cached + written === 0
  })
  return isUncached
    ? { cause: 'no cache', what: 'The provider read and wrote nothing in its cache.', who: null }
    : { cause: 'unknown', what: '', who: null }
}
