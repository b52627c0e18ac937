/** The largest of the numbers it was given. */
export interface Largest {
  /** The smallest of them, once there are as many as wanted; 0 before that. */
  readonly least: number
  add(value: number): void
}

/** A heap of at most `most` numbers above 0, the smallest at its root. */
export function createLargest(most: number): Largest {
  const heap: number[] = []
  const rise = (from: number): void => {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >>> 1
      if (!swapped(heap, parent, at)) return
      at = parent
    }
  }
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1
      const right = left + 1
      const child = (heap[right] ?? Infinity) < (heap[left] ?? Infinity) ? right : left
      if (child >= heap.length || !swapped(heap, at, child)) return
      at = child
    }
  }
  return {
    get least() {
      return heap.length < most ? 0 : (heap[0] ?? 0)
    },
    add(value) {
      if (heap.length < most) rise(heap.push(value) - 1)
      else if (value > (heap[0] ?? 0)) {
        heap[0] = value
        sink()
      }
    },
  }
}

/** Put the smaller of two above the other; false when it is there already. */
function swapped(heap: number[], above: number, below: number): boolean {
  const upper = heap[above] ?? 0
  const lower = heap[below] ?? 0
  if (upper <= lower) return false
  heap[above] = lower
  heap[below] = upper
  return true
}
