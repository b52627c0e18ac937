/** Tokens of one call, by the tokenizer of its session. Long texts are estimated by their beginning. */
export interface CallTokens {
  readonly arguments: number
  /** Of its data, or of the message of its error. */
  readonly result: number
}
