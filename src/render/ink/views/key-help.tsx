import { useMemo, type ReactElement } from 'react'
import { displayWidth } from '../../../kernel/display-width.ts'
import { cutText, fitText } from '../parts/fit-text.ts'
import { DEFAULT_THEME, type Theme } from '../parts/theme.ts'
import { ScrolledLines } from '../parts/windowed-rows.tsx'

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
    () => groups.flatMap(({ title, rows }) => [{ heading: title }, ...rows]),
    [groups],
  )
  const longest = groups
    .flatMap(({ rows }) => rows)
    .reduce((most, { keys }) => Math.max(most, displayWidth(keys.join(', '))), 0)
  const keysWidth = Math.min(longest, Math.floor(width * MOST_FOR_KEYS))
  return (
    <ScrolledLines
      {...{ scroll, width, height, theme }}
      lines={items}
      spansFor={(item) => {
        if ('heading' in item) return [{ text: cutText(item.heading, width, theme), bold: true }]
        const keys = fitText(item.keys.join(', '), keysWidth, theme)
        return [
          { text: `  ${keys}  `, tone: 'accent' },
          { text: cutText(item.title, width - keysWidth - 4, theme) },
        ]
      }}
    />
  )
}
