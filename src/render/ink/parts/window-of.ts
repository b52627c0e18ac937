/** The rows of a list that are on screen, and how many are not. */
export interface RowWindow {
  /** Rows scrolled past; give it to the next call, so that the list stays where it is. */
  readonly top: number
  /** First row drawn. */
  readonly start: number
  /** Row after the last one drawn. */
  readonly end: number
  /** Rows hidden before `start`; more than 0 when a line is spent to say so. */
  readonly above: number
  /** Rows hidden from `end` on; more than 0 when a line is spent to say so. */
  readonly below: number
}

/** Below this height there is no room for lines that say how much is hidden. */
const LOWEST_WITH_MARKS = 3

/**
 * What to draw of a list in so many lines.
 *
 * The marks for hidden rows take the place of the first and last row, so scrolling by one moves
 * every row by one line. The list moves only as far as the selection needs.
 *
 * @param selected index of the row that must be seen; -1 when none must
 * @param offset `top` of the window before, or the rows to scroll past
 */
export function windowOf(count: number, selected: number, height: number, offset = 0): RowWindow {
  const lines = Math.max(0, height)
  const last = Math.max(0, count - lines)
  const margin = lines >= LOWEST_WITH_MARKS ? 1 : 0
  let top = Math.min(Math.max(0, offset), last)
  if (selected >= 0 && selected < count) {
    // A row next to the edge of the window would be under a mark, but not at the end of the list.
    if (selected < top + margin) top = Math.max(0, selected - margin)
    if (selected >= top + lines - margin) top = Math.min(last, selected - lines + 1 + margin)
  }
  const isCutAbove = margin > 0 && top > 0
  const isCutBelow = margin > 0 && top < last
  const start = Math.min(count, top + (isCutAbove ? 1 : 0))
  const end = Math.min(count, top + lines - (isCutBelow ? 1 : 0))
  return {
    top,
    start,
    end,
    above: isCutAbove ? start : 0,
    below: isCutBelow ? count - end : 0,
  }
}
