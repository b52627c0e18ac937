/** Counts tokens with one tokenizer. It is fixed when a session opens. */
export interface TokenCounter {
  /** The name of the tokenizer, such as `o200k_base`; stored with every count. */
  readonly name: string
  /** Returns the number of tokens in `text`. Must be pure, and take time in proportion to its length. */
  count(text: string): number
  /**
   * Returns true if `count(text)` is an upper bound. Without it, every count is exact.
   */
  isUpperBound?(text: string): boolean
}
