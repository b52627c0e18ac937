import type { PromptLedger } from '../prompt/prompt-ledger.ts'
import type { PromptSource } from '../prompt/prompt-document.ts'

/** What one source, skill or tool costs. */
export interface LedgerRow {
  /** `source/skill`, `skill/pdf`, `tool/read_page`. */
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

/** A ledger by source, by skill and by tool; skills and tools with the dearest first. */
export function ledgerRows(ledger: PromptLedger): readonly LedgerGroup[] {
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
  ]
}

function dearestFirst(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  return rows.toSorted((a, b) => b.tokens - a.tokens)
}
