import { Box, type DOMElement } from 'ink'
import { Fragment, useContext, useEffect, useRef, useState, type ReactElement } from 'react'
import { glyphsOf } from './glyphs.ts'
import { Line } from './line.tsx'
import { moreText } from './more-text.ts'
import { RowHitsContext } from './row-hits.ts'
import { DEFAULT_THEME, type Theme } from './theme.ts'
import { windowOf } from './window-of.ts'

export interface WindowedRowsProps {
  readonly count: number
  /** Index of the row that must be seen; -1 when none must. */
  readonly selected: number
  /** Rows to scroll past; without it the list stays where it is as far as the selection allows. */
  readonly scroll?: number | undefined
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** The row at an index, one line high; asked only for rows in view. */
  renderRow(index: number): ReactElement
  /** Says which row it is when others come before it; the index by default. */
  keyOf?(index: number): string
}

/** The rows of a list that are in view, and how many there are above and below. */
export function WindowedRows({
  count,
  selected,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
  renderRow,
  keyOf = String,
}: WindowedRowsProps): ReactElement {
  const [before, setBefore] = useState(0)
  const { top, start, end, above, below } = windowOf(count, selected, height, scroll ?? before)
  const element = useRef<DOMElement>(null)
  const hits = useContext(RowHitsContext)
  useEffect(() =>
    hits?.add({
      element: () => element.current,
      keyAt(line) {
        const index = start + line - (above > 0 ? 1 : 0)
        return index >= start && index < end ? keyOf(index) : null
      },
    }),
  )
  // What React has for keeping a value of the last time: it asks again before anybody looks.
  if (top !== before) {
    setBefore(top)
    return <></>
  }
  const { above: up, below: down } = glyphsOf(theme)
  return (
    <Box
      ref={element}
      flexDirection="column"
      flexShrink={0}
      width={width}
      height={Math.max(0, height)}
    >
      {above > 0 && (
        <Line theme={theme} width={width} spans={[{ text: moreText(up, above), dim: true }]} />
      )}
      {Array.from({ length: end - start }, (_, place) => (
        <Fragment key={keyOf(start + place)}>{renderRow(start + place)}</Fragment>
      ))}
      {below > 0 && (
        <Line theme={theme} width={width} spans={[{ text: moreText(down, below), dim: true }]} />
      )}
    </Box>
  )
}
