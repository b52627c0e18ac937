/** The head of a request that is passed on. */
export interface ExchangeHead {
  readonly route: string
  readonly method: string
  /** The address that it goes to. */
  readonly url: string
  /** Names and values of fields, in their order. */
  readonly headers: readonly string[]
  readonly at: number
}

export interface Exchange {
  requestPart(bytes: Buffer): void
  answered(head: {
    readonly status: number
    readonly statusText: string
    readonly headers: readonly string[]
    readonly at: number
  }): void
  responsePart(bytes: Buffer): void
  ended(how: 'complete' | 'client-aborted' | 'upstream-failed', at: number): void
}

export interface ExchangeListener {
  begin(head: ExchangeHead): Exchange
}
