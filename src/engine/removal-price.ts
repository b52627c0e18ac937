/** What taking tools out of the request costs, in tokens of the session's tokenizer. */
export interface RemovalPrice {
  /** Tokens of the removed definitions: every later request is so much shorter. */
  readonly tokensFreed: number
  /** Tokens that stood behind the first removed one in the list of tools, and are read anew once. */
  readonly prefixLost: number
}
