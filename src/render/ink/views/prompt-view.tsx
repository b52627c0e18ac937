import { Box } from 'ink'
import { useMemo, type ReactElement } from 'react'
import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import { BudgetLine } from '../parts/budget-line.tsx'
import { fitText } from '../parts/fit-text.ts'
import { formatCount } from '../parts/format-count.ts'
import { glyphsOf } from '../parts/glyphs.ts'
import { Line, type Span } from '../parts/line.tsx'
import { promptLines, type PromptLine, type PromptViewSection } from './prompt-lines.ts'
import { shareBar, shareText } from '../parts/share-bar.ts'
import { cursorSpan } from '../parts/table-line.tsx'
import { DEFAULT_THEME, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'

export interface PromptViewProps {
  readonly sections: readonly PromptViewSection[]
  /** Id of the section the cursor is on. */
  readonly selected: string | null
  /** The line the cursor is on, as `promptLines` counts them; wins over `selected`. */
  readonly line?: number | undefined
  /** First line shown, counted as `promptLines` counts them; the cursor is followed without it. */
  readonly scroll?: number | undefined
  /** What is searched for; lines that hold it are marked. */
  readonly search?: string
  /** Tokens the whole should stay under. */
  readonly budget?: number | null
  readonly tokenizer: string
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

/** The document a model reads: its sections with their price, folded or open. */
export function PromptView({
  sections,
  selected,
  line: cursorLine,
  scroll,
  search = '',
  budget = null,
  tokenizer,
  width,
  height,
  theme = DEFAULT_THEME,
}: PromptViewProps): ReactElement {
  const lines = useMemo(() => promptLines(sections, width, search), [sections, width, search])
  const tokens = useMemo(() => sections.reduce((sum, one) => sum + one.tokens, 0), [sections])
  const cursor =
    cursorLine ?? lines.findIndex((line) => line.kind === 'section' && line.section.id === selected)
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

interface Around {
  readonly tokens: number
  readonly search: string
  readonly width: number
  readonly theme: Theme
  readonly isSelected: boolean
}

function spansOf(line: PromptLine, around: Around): Span[] {
  switch (line.kind) {
    case 'part': {
      const title = line.placement === 'instructions' ? 'INSTRUCTIONS' : 'CONVERSATION PART'
      return [
        cursorSpan(around.isSelected, around.theme),
        { text: title, bold: true },
        { text: `  ${formatCount(line.tokens)} tokens`, dim: true },
      ]
    }
    case 'section':
      return sectionSpans(line.section, line.hits, around)
    case 'text':
      return line.hit
        ? hitSpans(line.text, around)
        : [cursorSpan(around.isSelected, around.theme), { text: line.text || ' ' }]
  }
}

/** Columns of the bar, and from where on there is one. */
const BAR_WIDTH = 10
const WIDE_ENOUGH_FOR_BAR = 60
const WIDE_ENOUGH_FOR_STABILITY = 44

function sectionSpans(
  section: PromptViewSection,
  hits: number,
  { tokens, width, theme, isSelected }: Around,
): Span[] {
  const { folded, open } = glyphsOf(theme)
  const share = tokens === 0 ? 0 : section.tokens / tokens
  const figures = [
    ...(hits === 0 ? [] : [hits === 1 ? '1 hit' : `${formatCount(hits)} hits`]),
    ...(width < WIDE_ENOUGH_FOR_STABILITY ? [] : [section.stability.padEnd(7)]),
    formatCount(section.tokens).padStart(7),
    shareText(section.tokens, tokens).padStart(4),
    ...(width < WIDE_ENOUGH_FOR_BAR ? [] : [shareBar(share, BAR_WIDTH, theme)]),
  ].join(' ')
  const room = Math.max(4, width - 4 - figures.length - 1)
  return [
    cursorSpan(isSelected, theme),
    { text: `${section.folded ? folded : open} ` },
    {
      text: `${fitText(section.title, room, theme)} `,
      bold: isSelected,
      ...(isSelected && { tone: 'accent' }),
    },
    { text: figures, dim: true },
  ]
}

/** A line with a hit: a mark before it, and what was searched for drawn the other way round. */
function hitSpans(text: string, { search, isSelected, theme }: Around): Span[] {
  const wanted = sanitiseLine(search).toLowerCase()
  const lower = text.toLowerCase()
  const { cursor, hit } = glyphsOf(theme)
  const spans: Span[] = [
    { text: isSelected ? cursor : ' ' },
    { text: hit, tone: 'warning', bold: true },
  ]
  // A letter whose small form is longer would put the marks elsewhere.
  if (lower.length !== text.length) return [...spans, { text }]
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    spans.push({ text: text.slice(from, at) })
    from = at + wanted.length
    spans.push({ text: text.slice(at, from), inverse: true })
  }
  return [...spans, { text: text.slice(from) }]
}
