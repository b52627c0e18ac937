import { useMemo, type ReactElement } from 'react'
import { displayWidth } from '../../../kernel/display-width.ts'
import { cutText, fitText } from '../parts/fit-text.ts'
import { Line, type TextSpan } from '../parts/line.tsx'
import { DEFAULT_THEME, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'

/** An action with its keys. */
export interface KeyHelpRow {
  readonly keys: readonly string[]
  readonly title: string
}

export interface KeyHelpGroup {
  readonly title: string
  readonly rows: readonly KeyHelpRow[]
}

export interface KeyHelpProps {
  readonly groups: readonly KeyHelpGroup[]
  /** Lines to scroll past; a group has one for its heading and one for each row. */
  readonly scroll?: number
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

type Item = { readonly heading: string } | { readonly row: KeyHelpRow }

/** The largest share of the width for the keys. */
const MOST_FOR_KEYS = 1 / 3

/** Keys and what they do, in two columns. */
export function KeyHelp({
  groups,
  scroll = 0,
  width,
  height,
  theme = DEFAULT_THEME,
}: KeyHelpProps): ReactElement {
  const items = useMemo(
    () =>
      groups.flatMap(({ title, rows }): Item[] => [
        { heading: title },
        ...rows.map((row) => ({ row })),
      ]),
    [groups],
  )
  const longest = groups
    .flatMap(({ rows }) => rows)
    .reduce((most, { keys }) => Math.max(most, displayWidth(keysText(keys))), 0)
  const keysWidth = Math.min(longest, Math.floor(width * MOST_FOR_KEYS))
  return (
    <WindowedRows
      count={items.length}
      selected={-1}
      scroll={scroll}
      width={width}
      height={height}
      theme={theme}
      renderRow={(index) => {
        const item = items[index]
        const spans = item === undefined ? [] : spansOf(item, keysWidth, width, theme)
        return <Line theme={theme} width={width} spans={spans} />
      }}
    />
  )
}

function keysText(keys: readonly string[]): string {
  return keys.join(', ')
}

function spansOf(item: Item, keysWidth: number, width: number, theme: Theme): TextSpan[] {
  if ('heading' in item) return [{ text: cutText(item.heading, width, theme), bold: true }]
  const { keys, title } = item.row
  return [
    { text: `  ${fitText(keysText(keys), keysWidth, theme)}  `, tone: 'accent' },
    { text: cutText(title, width - keysWidth - 4, theme) },
  ]
}
