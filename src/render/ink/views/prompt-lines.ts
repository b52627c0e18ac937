import type { RequestSegment } from '../../../engine/model/step-cost.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import type { Stability } from '../../prompt/document/prompt-document.ts'
import { wrappedText } from '../parts/fit-text.ts'

/** The part of a section that a request shares with the one before. */
export interface RequestFigures {
  /** Tokens that the provider has in its cache; null when that is not known. */
  readonly kept: number | null
  /** The change of its tokens since the request before; null when that is not known. */
  readonly change: number | null
  /** True where the request starts to differ: everything from here on is read again. */
  readonly isCut?: boolean
}

/** One of the three parts of a request, with its heading. */
export interface PromptViewPart {
  readonly placement: RequestSegment
  /** Null when they are not known. */
  readonly tokens: number | null
  /** Absent for the first request. */
  readonly figures?: RequestFigures
  /** A short remark, such as the number of tools. */
  readonly remark?: string
  /** True when its sections are hidden. */
  readonly folded?: boolean
}

/** A section of the document or a tool of the request, with its price and its text in the format shown. */
export interface PromptViewSection {
  readonly id: string
  readonly title: string
  readonly stability: Stability
  readonly placement: RequestSegment
  /** Null when they are not known. */
  readonly tokens: number | null
  /** Shown in place of its stability and its share. */
  readonly figures?: RequestFigures
  /** True for a text that was sent before: its tokens are among those of the conversation so far. */
  readonly wasSent?: boolean
  readonly text: string
  readonly folded: boolean
  /** True when the last change added or changed it: marked with a plus sign. */
  readonly fresh?: boolean
}

/** One line of the screen. */
export type PromptLine =
  | {
      readonly kind: 'part'
      readonly placement: RequestSegment
      readonly tokens: number | null
      /** Absent where the document alone is shown. */
      readonly part?: PromptViewPart
    }
  | { readonly kind: 'section'; readonly section: PromptViewSection; readonly hits: number }
  | {
      readonly kind: 'text'
      readonly section: string
      readonly text: string
      /** True when it contains the searched text. */
      readonly hit: boolean
    }

/** Columns by which the text of a section is indented. */
export const PROMPT_INDENT = 2

/**
 * The request as lines: its parts, each under a heading. Without `parts`, the document alone: the instructions,
 * then the conversation part.
 *
 * A hit is a line that contains the searched text, ignoring case. Hits in folded sections are counted
 * at the section.
 */
export function promptLines(
  sections: readonly PromptViewSection[],
  width: number,
  search = '',
  parts?: readonly PromptViewPart[],
): readonly PromptLine[] {
  const wanted = sanitiseLine(search).toLowerCase()
  const columns = Math.max(1, width - PROMPT_INDENT)
  const bySegment = Map.groupBy(sections, ({ placement }) => placement)
  const linesIn = (placement: RequestSegment) =>
    (bySegment.get(placement) ?? []).flatMap((section) => sectionLines(section, columns, wanted))
  if (parts !== undefined) {
    return parts.flatMap((part): PromptLine[] => {
      const { placement, tokens } = part
      return [{ kind: 'part', placement, tokens, part }, ...linesIn(placement)]
    })
  }
  return (['instructions', 'conversation'] as const).flatMap((placement): PromptLine[] => {
    const placed = bySegment.get(placement) ?? []
    if (placed.length === 0) return []
    const tokens = placed.reduce((sum, section) => sum + (section.tokens ?? 0), 0)
    return [{ kind: 'part', placement, tokens }, ...linesIn(placement)]
  })
}

function sectionLines(section: PromptViewSection, columns: number, wanted: string): PromptLine[] {
  const isSearched = wanted !== ''
  if (section.folded && !isSearched) return [{ kind: 'section', section, hits: 0 }]
  const { text: whole } = section
  const lines = (whole === '' ? [] : wrappedText(whole, columns)).map((text) => ({
    kind: 'text' as const,
    section: section.id,
    text,
    hit: isSearched && text.toLowerCase().includes(wanted),
  }))
  const hits = lines.filter(({ hit }) => hit).length
  return [{ kind: 'section', section, hits }, ...(section.folded ? [] : lines)]
}
