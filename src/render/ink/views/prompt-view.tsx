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
import {
  type PromptLine,
  promptLines,
  type PromptViewPart,
  type PromptViewSection,
  type RequestFigures,
} from './prompt-lines.ts'

export interface PromptViewProps {
  readonly sections: readonly PromptViewSection[]
  /**
   * The parts of the next request, in the order in which the provider reads them; without them, the document
   * alone is shown.
   */
  readonly parts?: readonly PromptViewPart[] | undefined
  /** The request that changes are counted from, such as `step 9`; empty for the first request. */
  readonly since?: string
  /** A remark below the request, such as the place where it starts to differ. */
  readonly note?: string
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
  parts,
  since = '',
  note = '',
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
  const lines = useMemo(
    () => promptLines(sections, width, search, parts),
    [sections, width, search, parts],
  )
  const notes = note === '' ? [] : wrappedText(note, width).slice(0, MOST_NOTE_LINES)
  const { since: sign, cut } = glyphsOf(theme)
  const hasFigures = since !== '' || sections.some(({ figures }) => figures !== undefined)
  const change = since === '' ? '' : `${sign} ${since}`
  const titles = ['tokens', 'cached', ' '.repeat(cut.length), change] as const
  const cursor =
    cursorLine ?? lines.findIndex((line) => line.kind === 'section' && line.section.id === selected)
  // A section is kept in view to its end.
  const next = lines.findIndex((line, index) => index > cursor && line.kind !== 'text')
  const end = (next < 0 ? lines.length : next) - 1
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={height}>
      <BudgetLine {...{ tokens, budget, tokenizer, width, theme }} />
      {hasFigures && (
        <Line
          {...{ theme, width }}
          spans={[{ text: layOutFigures(titles, width).padStart(width), dim: true }]}
        />
      )}
      <WindowedRows
        {...{ scroll, width, theme }}
        count={lines.length}
        selected={scroll === undefined ? cursor : -1}
        reveal={lines[cursor]?.kind === 'section' ? end : undefined}
        height={Math.max(1, height - (hasFigures ? 2 : 1) - notes.length)}
        renderRow={(index) => {
          const line = lines[index]
          const spans =
            line === undefined
              ? []
              : lineSpans(line, { tokens, search, width, theme, isSelected: index === cursor })
          return <Line theme={theme} width={width} spans={spans} />
        }}
      />
      {notes.map((text) => (
        <Line key={text} theme={theme} width={width} spans={[{ text, tone: 'price' }]} />
      ))}
    </Box>
  )
}

const MOST_NOTE_LINES = 2

/** Narrower views leave out the change since the request before, then the cached tokens. */
const WIDE_ENOUGH_FOR_CHANGE = 50
const WIDE_ENOUGH_FOR_KEPT = 36

/** Columns of the change; a step's name fits. */
const CHANGE_WIDTH = 10

/** Lays out tokens, cached tokens and change, from the right. */
function layOutFigures(
  [tokens, kept, cut, change]: readonly [string, string, string, string],
  width: number,
): string {
  return [
    tokens.padStart(9),
    ...(width < WIDE_ENOUGH_FOR_KEPT ? [] : [kept.padStart(7)]),
    cut,
    ...(width < WIDE_ENOUGH_FOR_CHANGE ? [] : [change.padStart(CHANGE_WIDTH)]),
  ].join(' ')
}

function figuresText(
  tokens: number | null,
  { kept, change, isCut = false }: RequestFigures,
  { wasSent, width, theme }: Pick<RowContext, 'width' | 'theme'> & { readonly wasSent: boolean },
): string {
  const { cut } = glyphsOf(theme)
  const unknown = unknownFigure(theme)
  const shown = tokens === null ? unknown : formatCount(tokens)
  const count = !wasSent ? `${shown} ` : tokens === 0 ? '' : `(${shown})`
  const sign = change !== null && change > 0 ? '+' : ''
  return layOutFigures(
    [
      count,
      kept === null ? unknown : kept === 0 ? '' : formatCount(kept),
      isCut ? cut : ' '.repeat(cut.length),
      change === null || change === 0 ? '' : `${sign}${formatCount(change)}`,
    ],
    width,
  )
}

/** The sign of a figure that nobody knows. */
function unknownFigure({ ascii }: Theme): string {
  return ascii ? '?' : '·'
}

interface RowContext {
  readonly tokens: number
  readonly search: string
  readonly width: number
  readonly theme: Theme
  readonly isSelected: boolean
}

function lineSpans(line: PromptLine, context: RowContext): TextSpan[] {
  switch (line.kind) {
    case 'part':
      return partSpans(line, context)
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

function partSpans(
  { placement, tokens, part }: Extract<PromptLine, { kind: 'part' }>,
  { width, theme, isSelected }: RowContext,
): TextSpan[] {
  const { figures, folded: isFolded, remark = '' } = part ?? {}
  const { folded, open } = glyphsOf(theme)
  const mark = isFolded === undefined ? '' : `${isFolded ? folded : open} `
  const title = [placement.toUpperCase(), remark].filter((one) => one !== '').join(' ')
  const cursor = cursorSpan(isSelected, theme)
  if (figures === undefined) {
    return [
      cursor,
      { text: `${mark}${title}`, bold: true },
      {
        text: `  ${tokens === null ? unknownFigure(theme) : formatCount(tokens)} tokens`,
        dim: true,
      },
    ]
  }
  const text = figuresText(tokens, figures, { wasSent: false, width, theme })
  const room = Math.max(4, width - 2 - mark.length - text.length)
  return [cursor, { text: `${mark}${fitText(title, room, theme)}${text}`, bold: true }]
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
  const { figures: sent, wasSent = false, tokens: size } = section
  const own = size ?? 0
  const figures = [
    ...(hits === 0 ? [] : [counted(hits, 'hit')]),
    ...(sent !== undefined
      ? [figuresText(section.tokens, sent, { wasSent, width, theme })]
      : [
          ...(width < WIDE_ENOUGH_FOR_STABILITY ? [] : [section.stability.padEnd(7)]),
          (size === null ? unknownFigure(theme) : formatCount(own)).padStart(7),
          shareText(own, tokens).padStart(4),
        ]),
  ].join(' ')
  const hasBar = sent === undefined && width >= WIDE_ENOUGH_FOR_BAR
  const bar = hasBar ? ` ${shareBar(own / tokens, BAR_WIDTH, theme)}` : ''
  const room = Math.max(4, width - 4 - figures.length - bar.length - 1)
  const isGone = section.tokens === 0 && (sent?.change ?? 0) < 0
  const mark = isGone ? '-' : section.fresh === true ? '+' : ' '
  return [
    cursorSpan(isSelected, theme),
    { text: `${section.folded ? folded : open}${mark}` },
    {
      text: `${fitText(section.title, room, theme)} `,
      bold: isSelected || section.fresh === true,
      ...(isSelected && { tone: 'accent' }),
    },
    { text: figures, dim: true },
    { text: bar, tone: 'price' },
  ]
}

/** A line with a hit: marked, with the searched text in inverse colours. */
function hitSpans(text: string, { search, isSelected, theme }: RowContext): TextSpan[] {
  const wanted = sanitiseLine(search).toLowerCase()
  const lower = text.toLowerCase()
  const { cursor, hit } = glyphsOf(theme)
  const spans: TextSpan[] = [
    { text: isSelected ? cursor : ' ' },
    { text: hit, tone: 'accent', bold: true },
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
