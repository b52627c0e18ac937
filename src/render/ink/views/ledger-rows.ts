import type { RequestSegment } from '../../../engine/model/step-cost.ts'
import { formatCount } from '../parts/format-count.ts'
import type { PromptSource } from '../../prompt/document/prompt-document.ts'
import type {
  PromptLedger,
  RemovalEstimate,
  StepLedger,
} from '../../prompt/ledger/prompt-ledger.ts'

/** What one source, skill or tool costs, or one part of a request. */
export interface LedgerRow {
  /** `source/skill`, `skill/pdf`, `tool/read_page`, `step/kept`. */
  readonly id: string
  readonly label: string
  readonly tokens: number
}

/** Rows of one kind. A share is a share of `whole`. */
export interface LedgerGroup {
  readonly title: string
  readonly whole: number
  readonly rows: readonly LedgerRow[]
}

const SOURCES: Readonly<Record<PromptSource, string>> = {
  loadout: 'Our own words',
  agent: 'The agent',
  skill: 'Skills',
  component: 'Components',
  global: 'Global tools',
}

/** What a session adds to the ledger of its prompt. */
interface SessionCosts {
  readonly lastStep: StepLedger | null
  readonly removals: readonly RemovalEstimate[]
}

/**
 * A ledger by source, by skill and by tool; skills and tools with the dearest first. Then, of a
 * session, its last request and what putting skills away would free.
 */
export function ledgerRows(
  ledger: PromptLedger,
  { lastStep, removals }: SessionCosts = { lastStep: null, removals: [] },
): readonly LedgerGroup[] {
  const sources = (['loadout', 'agent', 'skill', 'component', 'global'] as const).map((source) => ({
    id: `source/${source}`,
    label: SOURCES[source],
    tokens: ledger.sources[source],
  }))
  const skills = ledger.skills.map(({ skill, tokens }) => ({
    id: `skill/${skill}`,
    label: skill,
    tokens,
  }))
  const tools = ledger.tools.map(({ name, listed, definition }) => ({
    id: `tool/${name}`,
    label: name,
    tokens: listed + definition,
  }))
  return [
    { title: 'By source', whole: ledger.tokens, rows: sources },
    { title: 'By skill', whole: ledger.tokens, rows: mostExpensiveFirst(skills) },
    {
      title: 'By tool, its line and its definition',
      whole: tools.reduce((sum, { tokens }) => sum + tokens, 0),
      rows: mostExpensiveFirst(tools),
    },
    ...(lastStep === null ? [] : [...stepRows(lastStep), removalRows(removals, sizeOf(lastStep))]),
  ]
}

function sizeOf({ cost: { tokens } }: StepLedger): number {
  return tokens.tools + tokens.instructions + tokens.conversation
}

function mostExpensiveFirst(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  return rows.toSorted((a, b) => b.tokens - a.tokens)
}

const SEGMENTS: Readonly<Record<RequestSegment, string>> = {
  tools: 'Tools',
  instructions: 'Instructions',
  conversation: 'Conversation',
}

/** The last request: its parts in the order the provider reads them, and what was kept of the one before. */
function stepRows({ step, cost, tools }: StepLedger): readonly LedgerGroup[] {
  const { order, tokens, deferred, previous, kept, changed, lost } = cost
  const whole = order.reduce((sum, segment) => sum + tokens[segment], 0)
  const parts = order.map((segment) => ({
    id: `step/${segment}`,
    label: SEGMENTS[segment],
    tokens: tokens[segment],
  }))
  const held = tools.filter((tool) => !tool.available && !tool.deferred)
  const extra: LedgerRow[] = [
    ...(deferred === 0
      ? []
      : [{ id: 'step/deferred', label: 'Deferred, not in the prompt', tokens: deferred }]),
    ...(held.length === 0
      ? []
      : [
          {
            id: 'step/held',
            label: `${counted(held.length, 'tool')} that cannot be called`,
            tokens: held.reduce((sum, tool) => sum + tool.tokens, 0),
          },
        ]),
  ]
  const from = changed === null ? '' : ` from ${changed.segment} "${changed.part}" on`
  const gone = previous - kept
  const since: LedgerRow[] = [
    { id: 'step/kept', label: 'Kept', tokens: kept },
    ...(gone === 0 ? [] : [{ id: 'step/changed', label: `Not kept,${from}`, tokens: gone }]),
    ...(lost === 0
      ? []
      : [{ id: 'step/lost', label: 'Paid for that, at the input price', tokens: Math.ceil(lost) }]),
  ]
  return [
    { title: `Request of step ${step}`, whole, rows: [...parts, ...extra] },
    { title: 'Of the request before', whole: previous, rows: previous === 0 ? [] : since },
  ]
}

/** What putting each skill away would free; a share is a share of the request. */
function removalRows(removals: readonly RemovalEstimate[], whole: number): LedgerGroup {
  const rows = removals.map(({ skill, tokensFreed, prefixLost }) => ({
    id: `removal/${skill}`,
    label: prefixLost === 0 ? skill : `${skill}, ${formatCount(prefixLost)} read anew`,
    tokens: tokensFreed,
  }))
  return { title: 'Freed by putting away', whole, rows }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
