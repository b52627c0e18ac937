import type { RequestSegment } from '../../../engine/model/step-cost.ts'
import type { RemovalEstimate } from '../../prompt/ledger/removal-estimates.ts'
import type { StepLedger } from '../../prompt/ledger/step-ledger.ts'
import { formatCount } from '../parts/format-count.ts'
import type { LedgerGroup, LedgerRow } from './ledger-group.ts'

const SEGMENTS: Readonly<Record<RequestSegment, string>> = {
  tools: 'Tools',
  instructions: 'Instructions',
  conversation: 'Conversation',
}

/** The last request: its parts in the order the provider reads them, and what was kept of the one before. */
export function stepRows({ step, cost, tools }: StepLedger): readonly LedgerGroup[] {
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
export function removalRows(removals: readonly RemovalEstimate[], whole: number): LedgerGroup {
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
