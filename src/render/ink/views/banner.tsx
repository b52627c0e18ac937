import type { PricedChange } from '../../../engine/model/step-cost.ts'
import { Box } from 'ink'
import type { ReactElement } from 'react'
import type { ToolDifference } from '../../../engine/standing/tool-table.ts'
import { cutText } from '../parts/fit-text.ts'
import { Line, type TextSpan, type Tone } from '../parts/line.tsx'
import { requestChangeText } from '../parts/request-text.ts'
import { DEFAULT_THEME, glyphsOf, type Theme } from '../parts/theme.ts'

export interface BannerProps {
  /** `failed` is an error that nobody expected. */
  readonly tone: 'done' | 'refused' | 'failed' | 'note'
  readonly text: string
  readonly difference: ToolDifference | null
  /** The tokens of the next request, and those that it keeps of the one before the change. */
  readonly request: PricedChange | null
  readonly width: number
  /** 1: the text and its figures on one line. 2: figures and names of tools on a second line. */
  readonly height?: 1 | 2
  readonly theme?: Theme
}

const TONES: Readonly<Record<BannerProps['tone'], { word: string; tone: Tone }>> = {
  done: { word: 'DONE', tone: 'good' },
  refused: { word: 'REFUSED', tone: 'bad' },
  failed: { word: 'FAILED', tone: 'bad' },
  note: { word: 'NOTE', tone: 'accent' },
}

/** The outcome of a change: its tools, the price of the next request, and the tokens that a cache keeps. */
export function Banner(props: BannerProps): ReactElement {
  const { width, height = 1, theme = DEFAULT_THEME } = props
  const { word, tone } = TONES[props.tone]
  const head: TextSpan = { text: `${word} `, bold: true, tone }
  const { difference, request } = props
  const tools =
    difference === null
      ? []
      : (
          [
            ['+', difference.added],
            ['-', difference.removed],
            ['*', difference.changed],
          ] as const
        ).filter(([, names]) => names.length > 0)
  const counts = tools.map(([mark, names]) => mark + names.length).join(' ')
  const figures = [
    difference && (counts === '' ? 'tools unchanged' : `tools ${counts}`),
    request && requestChangeText(request, glyphsOf(theme).arrow),
  ]
    .filter((one) => one !== null)
    .join(' | ')
  const after = figures === '' ? '' : ` | ${figures}`
  // Figures are short and matter more than the end of a sentence.
  const left = width - word.length - 1
  const room = height === 2 ? left : Math.max(Math.ceil(width / 3), left - after.length)
  const text = cutText(props.text, room, theme)
  const lists = tools.map(([mark, names]) => {
    const more = names.length - MOST_NAMES
    return `${mark} ${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? `, ${more} more` : ''}`
  })
  const names = [...(figures === '' ? [] : [figures]), ...lists].join(' | ')
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={height}>
      <Line
        theme={theme}
        width={width}
        spans={[head, { text }, { text: height === 2 ? '' : after, dim: true }]}
      />
      {height === 2 && (
        <Line theme={theme} width={width} spans={[{ text: cutText(names, width, theme) || ' ' }]} />
      )}
    </Box>
  )
}

/** The most names listed of each kind; the rest is counted. */
const MOST_NAMES = 20
