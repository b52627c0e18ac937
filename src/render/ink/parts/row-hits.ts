import type { DOMElement } from 'ink'
import { createContext } from 'react'

/** A place on the screen, counted from 0 at the upper left. */
interface Place {
  readonly column: number
  readonly row: number
}

/** Rows as they are drawn now. */
export interface DrawnRows {
  /** The box they stand in; null while there is none. */
  element(): DOMElement | null
  /** Key of the row on a line of the box; null on a line that is no row. */
  keyAt(line: number): string | null
}

/** Which row is where: lists tell it as they are drawn, a mouse asks. */
export interface RowHits {
  /** Returns what takes them out again. */
  add(rows: DrawnRows): () => void
  /** Key of the row drawn at a place; null where none is. */
  rowAt(place: Place): string | null
}

/** Lists under it can be clicked; without it they keep their places to themselves. */
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
        const box = boxOf(element())
        if (box === null) continue
        const isInside =
          column >= box.left &&
          column < box.left + box.width &&
          row >= box.top &&
          row < box.top + box.height
        if (isInside) return keyAt(row - box.top)
      }
      return null
    },
  }
}

/** On the screen; the layout only knows where a box stands in the one around it. */
function boxOf(element: DOMElement | null) {
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
