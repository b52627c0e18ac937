/** Counts tokens with one tokenizer. It is fixed when a session opens. */
export interface TokenCounter {
  /** The name of the tokenizer, such as `o200k_base`; stored with every count. */
  readonly name: string
  /** Returns the number of tokens in `text`. Must be pure. */
  count(text: string): number
}
