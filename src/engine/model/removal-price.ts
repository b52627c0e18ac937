/** What taking tools out of the request costs, in tokens of the session's tokenizer. */
export interface RemovalPrice {
  /** Tokens of the removed definitions: every later request is so much shorter. */
  readonly tokensFreed: number
  /** Tokens that the provider reads after the first of them, and reads anew once. */
  readonly prefixLost: number
}
