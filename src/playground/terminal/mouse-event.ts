/** What a mouse did; columns and rows count from 0 at the upper left. */
export interface MouseEvent {
  readonly type: 'click' | 'wheel-up' | 'wheel-down'
  readonly column: number
  readonly row: number
}
