/**
 * Gets each request that is passed on, as it happens. Times are in milliseconds of the epoch.
 *
 * A listener changes nothing: one that throws or rejects is not called again for that exchange.
 */
export interface ExchangeListener {
  /** Called with the head of a request, before any of it is sent. */
  begin(head: {
    readonly route: string
    readonly method: string
    /** The URL at the upstream. */
    readonly url: string
    /** Names and values in turn, as the client sent them. */
    readonly headers: readonly string[]
    readonly at: number
  }): Exchange
}

/** Gets what is passed on of one request. The bytes are those that are sent: do not change them. */
export interface Exchange {
  requestPart(bytes: Buffer): void
  /** Called with the head of the answer, if there is one. */
  answered(head: {
    readonly status: number
    readonly statusText: string
    /** Names and values in turn, as the upstream sent them. */
    readonly headers: readonly string[]
    readonly at: number
  }): void
  responsePart(bytes: Buffer): void
  /** Called last. An exchange that the end of the proxy cut short is `client-aborted`. */
  ended(how: 'complete' | 'client-aborted' | 'upstream-failed', at: number): void
}

/** Calls an exchange until it throws or rejects. */
export class ShieldedExchange implements Exchange {
  #exchange: Exchange | null = null

  constructor(begin: () => Exchange) {
    this.#call(() => (this.#exchange = begin()))
  }

  requestPart(bytes: Buffer): void {
    this.#call(() => this.#exchange?.requestPart(bytes))
  }

  answered(head: Parameters<Exchange['answered']>[0]): void {
    this.#call(() => this.#exchange?.answered(head))
  }

  responsePart(bytes: Buffer): void {
    this.#call(() => this.#exchange?.responsePart(bytes))
  }

  ended(...end: Parameters<Exchange['ended']>): void {
    this.#call(() => this.#exchange?.ended(...end))
    this.#exchange = null
  }

  #call(call: () => unknown): void {
    const stop = () => {
      this.#exchange = null
    }
    try {
      // A function that returns nothing may be asynchronous.
      void Promise.resolve(call()).catch(stop)
    } catch {
      stop()
    }
  }
}
