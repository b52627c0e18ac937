/** A word of a request, with everything it is looked up by. */
export interface QueryWord {
  /** As it was written, in lower case. */
  readonly text: string
  /** What finding the word itself is worth, were it the only one of its kind. */
  readonly worth: number
  /** Itself, words for the same, near ones when it is unknown; a document counts the best. */
  readonly terms: readonly WeightedTerm[]
  /** Some document has the word itself. */
  readonly isKnown: boolean
}

export interface WeightedTerm {
  readonly term: string
  readonly weight: number
}
