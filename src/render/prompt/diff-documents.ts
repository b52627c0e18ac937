import { diffLines } from 'diff'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { PromptDocument, PromptSection } from './document/prompt-document.ts'
import { sectionTokens } from './ledger/section-tokens.ts'
import { writeSection } from './forms/write-prompt.ts'

export interface LineChange {
  readonly kind: 'same' | 'added' | 'removed'
  /** One or more complete lines. */
  readonly text: string
}

/** A section that differs. Its tokens are 0 in the document that does not have it. */
export interface SectionChange {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly id: string
  readonly title: string
  readonly before: number
  readonly after: number
  readonly lines: readonly LineChange[]
}

export interface DocumentDiff {
  /** In the order of the new document, then the removed sections. */
  readonly changes: readonly SectionChange[]
}

/** A section with more changed lines counts as replaced: bounds the work on huge sections. */
const MOST_EDITS = 2000

/** Compares two documents as Markdown, section by section, with the tokens of each. */
export function diffDocuments(
  a: PromptDocument,
  b: PromptDocument,
  counter: TokenCounter,
): DocumentDiff {
  const before = new Map(a.sections.map((section) => [section.id, section]))
  const after = new Map(b.sections.map((section) => [section.id, section]))
  const changes = [...new Set([...after.keys(), ...before.keys()])].flatMap((id) =>
    sectionChange(before.get(id), after.get(id), counter),
  )
  return { changes }
}

function sectionChange(
  before: PromptSection | undefined,
  after: PromptSection | undefined,
  counter: TokenCounter,
): SectionChange[] {
  const section = after ?? before
  if (section === undefined || before === after) return []
  const [old, now] = [before, after].map((side) => (side === undefined ? '' : writeSection(side)))
  if (before !== undefined && after !== undefined && old === now) return []
  const { id, title } = section
  return [
    {
      kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
      id,
      title,
      before: before === undefined ? 0 : sectionTokens(before, counter),
      after: after === undefined ? 0 : sectionTokens(after, counter),
      lines: lineChanges(old ?? '', now ?? ''),
    },
  ]
}

function lineChanges(old: string, now: string): LineChange[] {
  const parts = diffLines(old, now, { maxEditLength: MOST_EDITS }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ]
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}
