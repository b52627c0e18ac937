import type { DOMElement } from 'ink'
import { createContext } from 'react'

/** A position on the screen, counted from 0 at the upper left. */
interface Place {
  readonly column: number
  readonly row: number
}

/** The rows of one list that are on the screen. */
export interface DrawnRows {
  /** The box around them; null while it is not mounted. */
  element(): DOMElement | null
  /** Key of the row on a line of the box, or of what is at a column of it; null for a place without one. */
  keyAt(line: number, column: number): string | null
  /** Scrolls by some rows, as far as there are any. The selection stays. */
  scroll(by: number): void
}

/** Maps positions on the screen to rows: lists register while they are drawn, the mouse looks them up. */
export interface RowHits {
  /** Returns a function that removes the rows again. */
  add(rows: DrawnRows): () => void
  /** Key of the row at a position; null where there is no row. */
  rowAt(place: Place): string | null
  /** Scrolls the list in an area, if one is drawn there. */
  scroll(area: Place & { readonly width: number; readonly height: number }, by: number): void
}

/** Lists below a provider of this context can be clicked. */
export const RowHitsContext = createContext<RowHits | null>(null)

export function createRowHits(): RowHits {
  const all = new Set<DrawnRows>()
  return {
    add(rows) {
      all.add(rows)
      return () => all.delete(rows)
    },
    rowAt({ column, row }) {
      for (const { element, keyAt } of all) {
        const box = placeOnScreen(element())
        if (box === null) continue
        const isInside =
          column >= box.left &&
          column < box.left + box.width &&
          row >= box.top &&
          row < box.top + box.height
        const key = isInside ? keyAt(row - box.top, column - box.left) : null
        if (key !== null) return key
      }
      return null
    },
    scroll({ column, row, width, height }, by) {
      for (const { element, scroll } of all) {
        const box = placeOnScreen(element())
        if (box === null) continue
        const isInside =
          box.left >= column &&
          box.left < column + width &&
          box.top >= row &&
          box.top < row + height
        if (isInside) scroll(by)
      }
    },
  }
}

/** The position of a box on the screen; Yoga only knows its position in its parent. */
function placeOnScreen(element: DOMElement | null) {
  const own = element?.yogaNode
  if (own === undefined) return null
  let left = 0
  let top = 0
  for (let at: DOMElement | undefined | null = element; at; at = at.parentNode) {
    left += at.yogaNode?.getComputedLeft() ?? 0
    top += at.yogaNode?.getComputedTop() ?? 0
  }
  return { left, top, width: own.getComputedWidth(), height: own.getComputedHeight() }
}
