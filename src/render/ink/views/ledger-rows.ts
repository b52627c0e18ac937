import type { ProviderUsage, ReportedState } from '../../../engine/model/provider-report.ts'
import {
  type KeptPart,
  type RequestSegment,
  requestTokens,
  type StepCost,
} from '../../../engine/model/step-cost.ts'
import { counted, formatCount } from '../parts/format-count.ts'
import { keptText } from '../parts/request-text.ts'
import type { PromptSource } from '../../prompt/document/prompt-document.ts'
import type {
  PromptLedger,
  RemovalEstimate,
  StepLedger,
} from '../../prompt/ledger/prompt-ledger.ts'

/** The tokens of one source, skill or tool, or of one part of a request. */
export interface LedgerRow {
  /** `source/skill`, `skill/pdf`, `tool/read_page`, `step/kept`. */
  readonly id: string
  readonly label: string
  readonly tokens: number
  /** Its share is one of this; one of the group's when absent. */
  readonly whole?: number
}

/** Rows of one kind. Shares are shares of `whole`, which is shown with them. */
export interface LedgerGroup {
  readonly title: string
  readonly whole: number
  readonly rows: readonly LedgerRow[]
}

const SOURCES: Readonly<Record<PromptSource, string>> = {
  loadout: 'Loadout',
  agent: 'Agent',
  skill: 'Skills',
  component: 'Components',
  server: 'Servers',
  global: 'Global tools',
}

const SOURCE_ORDER = ['loadout', 'agent', 'skill', 'component', 'server', 'global'] as const

/**
 * Lists the tokens of the next request by part, then those of its text by source, and those of skills and tools,
 * the most expensive first. For a session, its last request follows, and the tokens that deactivating each skill
 * frees.
 *
 * @param session costs that only a session knows, in addition to those of its prompt
 */
export function ledgerRows(
  ledger: PromptLedger,
  next: StepCost,
  session: {
    readonly lastStep: StepLedger | null
    readonly removals: readonly RemovalEstimate[]
    readonly reported?: ReportedUsage
  } = { lastStep: null, removals: [] },
): readonly LedgerGroup[] {
  const { lastStep, removals, reported } = session
  // Most sessions have no server.
  const shown = SOURCE_ORDER.filter((one) => one !== 'server' || ledger.sources.server > 0)
  const sources = shown.map((source) => ({
    id: `source/${source}`,
    label: SOURCES[source],
    tokens: ledger.sources[source],
  }))
  const definitions = Map.groupBy(ledger.tools, ({ source, owner }) => `${source}/${owner}`)
  const skills = ledger.skills.map(({ skill, tokens }) => ({
    id: `skill/${skill}`,
    label: skill,
    tokens: (definitions.get(`skill/${skill}`) ?? []).reduce(
      (sum, { definition }) => sum + definition,
      tokens,
    ),
  }))
  const tools = ledger.tools.map(({ name, listed, definition }) => ({
    id: `tool/${name}`,
    label: name,
    tokens: listed + definition,
  }))
  const whole = requestTokens(next)
  return [
    { title: 'Next request', whole, rows: partRows('next', next) },
    { title: 'Its text by source', whole, rows: sources },
    { title: 'By skill (text and tools)', whole, rows: mostExpensiveFirst(skills) },
    { title: 'By tool (listing and definition)', whole, rows: mostExpensiveFirst(tools) },
    ...(lastStep === null
      ? []
      : [
          ...stepRows(lastStep),
          ...(reported?.last ? reportedRows(reported, reported.last) : []),
          removalRows(removals, requestTokens(lastStep.cost)),
        ]),
  ]
}

/** The parts of a request in the order the provider reads them, and the definitions that it keeps out. */
function partRows(id: 'next' | 'step', { order, tokens, deferred }: StepCost): LedgerRow[] {
  const parts = order.map((segment) => ({
    id: `${id}/${segment}`,
    label: SEGMENTS[segment],
    tokens: tokens[segment],
  }))
  if (deferred === 0) return parts
  return [
    ...parts,
    { id: `${id}/deferred`, label: 'Deferred, not in the prompt', tokens: deferred },
  ]
}

function mostExpensiveFirst(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  return rows.toSorted((a, b) => b.tokens - a.tokens)
}

const SEGMENTS: Readonly<Record<RequestSegment, string>> = {
  tools: 'Tools',
  instructions: 'Instructions',
  conversation: 'Conversation',
}

/** The last request: its parts, and its cached tokens. */
function stepRows({ step, strategy, cost, tools }: StepLedger): readonly LedgerGroup[] {
  const { provider, previous, kept, changed, lost, minimum }: StepCost & KeptPart = cost
  const unavailable = tools.filter((tool) => !tool.available && !tool.deferred)
  const extra: LedgerRow[] =
    unavailable.length === 0
      ? []
      : [
          {
            id: 'step/held',
            label: `${counted(unavailable.length, 'tool')} that cannot be called`,
            tokens: unavailable.reduce((sum, tool) => sum + tool.tokens, 0),
          },
        ]
  const from = changed === null ? '' : ` from ${changed.segment} "${changed.part}" on`
  const gone = previous - kept
  const cached: LedgerRow[] = [
    { id: 'step/kept', label: 'Kept', tokens: kept },
    ...(gone === 0
      ? []
      : [{ id: 'step/changed', label: from === '' ? 'Lost' : `Lost,${from}`, tokens: gone }]),
    ...(lost === 0
      ? []
      : [{ id: 'step/lost', label: 'Extra cost, in input tokens', tokens: Math.ceil(lost) }]),
  ]
  const none: LedgerRow = { id: 'step/kept', label: keptText(cost), tokens: 0 }
  return [
    {
      title: `Request of step ${step} (${strategy}, ${provider})`,
      whole: requestTokens(cost),
      rows: [...partRows('step', cost), ...extra],
    },
    {
      title: 'Cached from the previous request',
      whole: previous,
      rows: previous === 0 ? [] : minimum === undefined ? cached : [none],
    },
  ]
}

/** The reports of providers in a session, next to the costs of the same requests. */
interface ReportedUsage extends Pick<ReportedState['reported'], 'steps' | 'total' | 'predicted'> {
  readonly last: {
    readonly step: number
    readonly predicted: ReportedState['reported']['predicted'] | null
    readonly reported: ProviderUsage
    readonly deviation: {
      readonly expected: number
      readonly cached: number
      readonly why: string
    } | null
  } | null
}

/** The reports of providers for the last request and for all of them, with the predictions. */
function reportedRows(
  { steps, total, predicted }: ReportedUsage,
  last: NonNullable<ReportedUsage['last']>,
): readonly LedgerGroup[] {
  const { step, reported, deviation } = last
  const rows = usageRows('reported', reported, last.predicted)
  const differs = deviation && {
    id: 'reported/differs',
    label: `Differs. ${deviation.why}`,
    tokens: Math.abs(deviation.expected - deviation.cached),
  }
  return [
    {
      title: `Reported by the provider for step ${step}`,
      whole: reported.input,
      rows: differs ? [...rows, differs] : rows,
    },
    {
      title: `Reported for ${counted(steps, 'request')}`,
      whole: total.input,
      rows: usageRows('session', total, predicted),
    },
  ]
}

function usageRows(
  id: string,
  { input, cached = 0, written = 0, output, reasoning = 0 }: ProviderUsage,
  predicted: ReportedState['reported']['predicted'] | null,
): readonly LedgerRow[] {
  const next = (tokens?: number) =>
    tokens === undefined ? '' : `, predicted ${formatCount(tokens)}`
  const thought = reasoning === 0 ? '' : `, ${formatCount(reasoning)} of it reasoning`
  return [
    { id: `${id}/input`, label: `Prompt${next(predicted?.input)}`, tokens: input },
    { id: `${id}/cached`, label: `Cached${next(predicted?.cached)}`, tokens: cached },
    { id: `${id}/written`, label: 'Written to the cache', tokens: written },
    { id: `${id}/output`, label: `Output${thought}`, tokens: output },
  ]
}

/** The tokens that deactivating each skill frees. Shares are shares of the request. */
function removalRows(removals: readonly RemovalEstimate[], whole: number): LedgerGroup {
  const rows = removals.map(({ skill, tokensFreed, prefixLost }) => ({
    id: `removal/${skill}`,
    label: prefixLost === 0 ? skill : `${skill}, ${formatCount(prefixLost)} read again`,
    tokens: tokensFreed,
  }))
  return { title: 'Freed by deactivating', whole, rows }
}
