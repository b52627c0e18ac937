/**
 * Counts tokens of one tokenizer. Fixed when a session opens; its name goes with every count.
 */
export interface TokenCounter {
  /** The tokenizer the counts come from, such as `o200k_base`. */
  readonly name: string
  /** Tokens in `text`. Must be pure. */
  count(text: string): number
}
