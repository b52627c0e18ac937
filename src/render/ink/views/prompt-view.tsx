import { Box } from 'ink'
import { type ReactElement, useMemo } from 'react'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { BudgetLine } from '../parts/budget-line.tsx'
import { fitText, wrappedText } from '../parts/fit-text.ts'
import { BAR_WIDTH, counted, formatCount, shareBar, shareText } from '../parts/format-count.ts'
import { Line, type TextSpan } from '../parts/line.tsx'
import { cursorSpan } from '../parts/table-line.tsx'
import { DEFAULT_THEME, glyphsOf, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'
import type { Placement, Stability } from '../../prompt/document/prompt-document.ts'

/** A section of the document, with its price and its text in the format shown. */
export interface PromptViewSection {
  readonly id: string
  readonly title: string
  readonly stability: Stability
  readonly placement: Placement
  readonly tokens: number
  readonly text: string
  readonly folded: boolean
  /** True when the last change added or changed it: marked with a plus sign. */
  readonly fresh?: boolean
}

export interface PromptViewProps {
  readonly sections: readonly PromptViewSection[]
  /** Id of the section the cursor is on. */
  readonly selected: string | null
  /** Index of the line the cursor is on, counting headings and text; overrides `selected`. */
  readonly line?: number | undefined
  /** Index of the first line shown; without it the view follows the cursor. */
  readonly scroll?: number | undefined
  /** The text to search for; lines that contain it are marked. */
  readonly search?: string
  /** The tokens of the next request, of which the sections are a part. */
  readonly tokens: number
  /** The most tokens it should take; null for no budget. */
  readonly budget?: number | null
  readonly tokenizer: string
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

/** The document that a model reads: its sections with their price, folded or open. */
export function PromptView({
  sections,
  selected,
  line: cursorLine,
  scroll,
  search = '',
  tokens,
  budget = null,
  tokenizer,
  width,
  height,
  theme = DEFAULT_THEME,
}: PromptViewProps): ReactElement {
  const lines = useMemo(() => promptLines(sections, width, search), [sections, width, search])
  const cursor =
    cursorLine ?? lines.findIndex((line) => line.kind === 'section' && line.section.id === selected)
  const at = lines[cursor]
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={height}>
      <BudgetLine
        tokens={tokens}
        budget={budget}
        tokenizer={tokenizer}
        width={width}
        theme={theme}
      />
      <WindowedRows
        count={lines.length}
        selected={scroll === undefined ? cursor : -1}
        reveal={at?.kind === 'section' ? sectionEnd(lines, cursor) : undefined}
        scroll={scroll}
        width={width}
        height={height - 1}
        theme={theme}
        renderRow={(index) => {
          const line = lines[index]
          const spans =
            line === undefined
              ? []
              : spansOf(line, { tokens, search, width, theme, isSelected: index === cursor })
          return <Line theme={theme} width={width} spans={spans} />
        }}
      />
    </Box>
  )
}

/** Returns the index of the last line of the section whose heading is at an index. */
function sectionEnd(lines: readonly PromptLine[], heading: number): number {
  const next = lines.findIndex((line, index) => index > heading && line.kind !== 'text')
  return (next < 0 ? lines.length : next) - 1
}

interface RowContext {
  readonly tokens: number
  readonly search: string
  readonly width: number
  readonly theme: Theme
  readonly isSelected: boolean
}

function spansOf(line: PromptLine, context: RowContext): TextSpan[] {
  switch (line.kind) {
    case 'part': {
      const title = line.placement === 'instructions' ? 'INSTRUCTIONS' : 'CONVERSATION'
      return [
        cursorSpan(context.isSelected, context.theme),
        { text: title, bold: true },
        { text: `  ${formatCount(line.tokens)} tokens`, dim: true },
      ]
    }
    case 'section':
      return sectionSpans(line.section, line.hits, context)
    case 'text':
      return line.hit
        ? hitSpans(line.text, context)
        : [
            cursorSpan(context.isSelected, context.theme),
            { text: (context.theme.ascii ? withoutBoxes(line.text) : line.text) || ' ' },
          ]
  }
}

/** Draws the boxes of a prompt with ASCII. */
function withoutBoxes(text: string): string {
  return text.replaceAll(/[─-╿]/gv, (part) =>
    '│║┃'.includes(part) ? '|' : '─━'.includes(part) ? '-' : part === '═' ? '=' : '+',
  )
}

/** Narrower views leave the bar out. */
const WIDE_ENOUGH_FOR_BAR = 60

const WIDE_ENOUGH_FOR_STABILITY = 44

function sectionSpans(
  section: PromptViewSection,
  hits: number,
  { tokens, width, theme, isSelected }: RowContext,
): TextSpan[] {
  const { folded, open } = glyphsOf(theme)
  const share = tokens === 0 ? 0 : section.tokens / tokens
  const figures = [
    ...(hits === 0 ? [] : [counted(hits, 'hit')]),
    ...(width < WIDE_ENOUGH_FOR_STABILITY ? [] : [section.stability.padEnd(7)]),
    formatCount(section.tokens).padStart(7),
    shareText(section.tokens, tokens).padStart(4),
    ...(width < WIDE_ENOUGH_FOR_BAR ? [] : [shareBar(share, BAR_WIDTH, theme)]),
  ].join(' ')
  const room = Math.max(4, width - 4 - figures.length - 1)
  return [
    cursorSpan(isSelected, theme),
    { text: `${section.folded ? folded : open}${section.fresh === true ? '+' : ' '}` },
    {
      text: `${fitText(section.title, room, theme)} `,
      bold: isSelected || section.fresh === true,
      ...(isSelected && { tone: 'accent' }),
    },
    { text: figures, dim: true },
  ]
}

/** A line with a hit: marked, with the searched text in inverse colours. */
function hitSpans(text: string, { search, isSelected, theme }: RowContext): TextSpan[] {
  const wanted = sanitiseLine(search).toLowerCase()
  const lower = text.toLowerCase()
  const { cursor, hit } = glyphsOf(theme)
  const spans: TextSpan[] = [
    { text: isSelected ? cursor : ' ' },
    { text: hit, tone: 'warning', bold: true },
  ]
  // A letter whose lower-case form is longer would shift the marks.
  if (lower.length !== text.length) return [...spans, { text }]
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    spans.push({ text: text.slice(from, at) })
    from = at + wanted.length
    spans.push({ text: text.slice(at, from), inverse: true })
  }
  return [...spans, { text: text.slice(from) }]
}

/** One line of the screen. */
export type PromptLine =
  | { readonly kind: 'part'; readonly placement: Placement; readonly tokens: number }
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
 * The document as lines: the instructions, then the conversation part, each under a heading.
 *
 * A hit is a line that contains the searched text, ignoring case. Hits in folded sections are counted
 * at the section.
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
