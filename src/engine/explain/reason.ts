/** One step of a "why": an entry of the log and what it means here. */
export interface Reason {
  readonly seq: number
  readonly text: string
}
