/** One check: a program, and how to read from its output how much it looked at. */
export interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Matches the figures in the output; its first group is the number that may not be zero. */
  readonly looked: RegExp
}
