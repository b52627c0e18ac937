/** One word of a text. */
export interface Word {
  /** As it was written, in lower case. */
  readonly text: string
  /** What it is looked up by: its stem, or two characters of a text without spaces. */
  readonly term: string
  /** It fits any subject, so in a text it says little. */
  readonly isWeak: boolean
}
