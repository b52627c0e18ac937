import type { PlaygroundContext } from './playground-context.ts'

/** Columns and rows inside a border. */
export interface DrawnSize {
  readonly width: number
  readonly height: number
}

const UNKNOWN: DrawnSize = { width: 80, height: 20 }

const sizes = new WeakMap<PlaygroundContext, Map<string, DrawnSize>>()

/**
 * Remember how large a pane or a dialog is drawn: keys that scroll mean the lines on screen, and
 * how a text falls into lines follows from the width. Views say it each time they draw.
 */
export function noteSize(context: PlaygroundContext, id: string, size: DrawnSize): void {
  const known = sizes.get(context) ?? new Map<string, DrawnSize>()
  known.set(id, size)
  sizes.set(context, known)
}

/** How large it was drawn last; 80 by 20 before it ever was. */
export function sizeOf(context: PlaygroundContext, id: string): DrawnSize {
  return sizes.get(context)?.get(id) ?? UNKNOWN
}
