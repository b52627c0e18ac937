import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import type { Placement, Stability } from '../../prompt/document/prompt-document.ts'
import { wrappedText } from '../parts/wrapped-text.ts'

/** A section of the document, with its price and its text in any form. */
export interface PromptViewSection {
  readonly id: string
  readonly title: string
  readonly stability: Stability
  readonly placement: Placement
  readonly tokens: number
  readonly text: string
  readonly folded: boolean
}

/** One line of the screen. */
export type PromptLine =
  | { readonly kind: 'part'; readonly placement: Placement; readonly tokens: number }
  | { readonly kind: 'section'; readonly section: PromptViewSection; readonly hits: number }
  | {
      readonly kind: 'text'
      readonly section: string
      readonly text: string
      /** Whether what is searched for begins in it. */
      readonly hit: boolean
    }

/** Columns a section's text is set in by. */
export const PROMPT_INDENT = 2

/**
 * The document as lines: the instructions, then the conversation part, each under a heading.
 *
 * A hit is a line that holds what is searched for, in any case; those in folded sections are
 * counted at the section.
 */
export function promptLines(
  sections: readonly PromptViewSection[],
  width: number,
  search = '',
): readonly PromptLine[] {
  const wanted = sanitiseLine(search).toLowerCase()
  const columns = Math.max(1, width - PROMPT_INDENT)
  return (['instructions', 'conversation'] as const).flatMap((placement): PromptLine[] => {
    const placed = sections.filter((section) => section.placement === placement)
    if (placed.length === 0) return []
    const tokens = placed.reduce((sum, section) => sum + section.tokens, 0)
    return [
      { kind: 'part', placement, tokens },
      ...placed.flatMap((section) => sectionLines(section, columns, wanted)),
    ]
  })
}

function sectionLines(section: PromptViewSection, columns: number, wanted: string): PromptLine[] {
  const isSearched = wanted !== ''
  if (section.folded && !isSearched) return [{ kind: 'section', section, hits: 0 }]
  const lines = wrappedText(section.text, columns).map((text) => ({
    kind: 'text' as const,
    section: section.id,
    text,
    hit: isSearched && text.toLowerCase().includes(wanted),
  }))
  const hits = lines.filter(({ hit }) => hit).length
  return [{ kind: 'section', section, hits }, ...(section.folded ? [] : lines)]
}
