import type { PromptLedger } from '../../prompt/ledger/prompt-ledger.ts'
import type { PromptSource } from '../../prompt/document/prompt-document.ts'
import type { RemovalEstimate } from '../../prompt/ledger/removal-estimates.ts'
import type { StepLedger } from '../../prompt/ledger/step-ledger.ts'
import type { LedgerGroup, LedgerRow } from './ledger-group.ts'
import { removalRows, stepRows } from './step-rows.ts'

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
    { title: 'By skill', whole: ledger.tokens, rows: dearestFirst(skills) },
    {
      title: 'By tool, its line and its definition',
      whole: tools.reduce((sum, { tokens }) => sum + tokens, 0),
      rows: dearestFirst(tools),
    },
    ...(lastStep === null ? [] : [...stepRows(lastStep), removalRows(removals, sizeOf(lastStep))]),
  ]
}

function sizeOf({ cost: { tokens } }: StepLedger): number {
  return tokens.tools + tokens.instructions + tokens.conversation
}

function dearestFirst(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  return rows.toSorted((a, b) => b.tokens - a.tokens)
}
