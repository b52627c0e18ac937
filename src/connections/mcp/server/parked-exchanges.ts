import { randomBytes } from 'node:crypto'
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { type ClientAccess, ClientExchange, type Declared } from './client-exchange.ts'
import { leastNeeded, requestPrincipal } from './client-shares.ts'
import type { McpSdk } from './mcp-sdk.ts'

/** The most requests that may wait for answers of their clients at the same time. */
const MAX_PARKED = 1_000

/** The state that a client brings back with its answers. */
interface RoundState {
  readonly round: string
}

/** A request that waits for the answers of its client. */
interface Parked {
  readonly round: string
  readonly principal: string
  readonly exchange: ClientExchange<unknown>
  /** The request in its canonical form, which the next one must equal. */
  readonly subject: string
  readonly timer: NodeJS.Timeout
}

/**
 * Carries requests that ask their client from one round to the next.
 *
 * The client brings back a state that is signed, bound to the method and the principal, and good for one round: it
 * names work that waits in this process. Another state, one that was used, and one for another request are refused.
 */
export class ParkedExchanges {
  readonly #sdk: McpSdk
  readonly #waitMs: number
  readonly #parked = new Map<string, Parked>()
  readonly #codec

  /** @param waitMs milliseconds that a client has for its answers */
  constructor(sdk: McpSdk, waitMs: number) {
    this.#sdk = sdk
    this.#waitMs = waitMs
    this.#codec = sdk.createRequestStateCodec<RoundState>({
      key: randomBytes(32),
      ttlSeconds: Math.ceil(waitMs / 1000),
      bind: (context) => JSON.stringify([context.mcpReq.method, requestPrincipal(context)]),
    })
  }

  /** Checks the state of a request before it is handled; throws for one that is not of this process. */
  readonly verify = (state: string, context: ServerContext): Promise<RoundState> =>
    this.#codec.verify(state, context)

  /**
   * Answers a request: with the result of its work, or with questions for the client.
   *
   * @param subject the request without its answers, in canonical form
   */
  async answer<Result>(
    context: ServerContext,
    subject: string,
    declared: Declared,
    work: (access: ClientAccess) => Promise<Result>,
  ): Promise<Result | InputRequiredResult> {
    const state = context.mcpReq.requestState<RoundState>()
    const exchange =
      state === undefined
        ? new ClientExchange(this.#sdk, context, declared, work)
        : await this.#resume<Result>(state, subject, context)
    const round = await exchange.next()
    if (round.kind === 'result') return round.result
    const requestState = await this.#codec.mint(
      this.#park(exchange as ClientExchange<unknown>, subject, requestPrincipal(context)),
      context,
    )
    return this.#sdk.inputRequired({ inputRequests: round.questions, requestState })
  }

  /** Gives up everything that waits. */
  close(): void {
    for (const { exchange, timer } of this.#parked.values()) {
      clearTimeout(timer)
      exchange.abort(new Error('The server ends.'))
    }
    this.#parked.clear()
  }

  #park(exchange: ClientExchange<unknown>, subject: string, principal: string): RoundState {
    if (this.#parked.size >= MAX_PARKED) {
      const least = leastNeeded(this.#parked.values(), principal)
      if (least !== undefined) this.#giveUp(least.round)
    }
    const round = randomBytes(16).toString('hex')
    const timer = setTimeout(() => this.#giveUp(round), this.#waitMs)
    timer.unref()
    this.#parked.set(round, { round, principal, exchange, subject, timer })
    return { round }
  }

  #giveUp(round: string): void {
    const parked = this.#parked.get(round)
    this.#parked.delete(round)
    parked?.exchange.abort(new Error('The client brought no answer in time.'))
  }

  async #resume<Result>(
    { round }: RoundState,
    subject: string,
    context: ServerContext,
  ): Promise<ClientExchange<Result>> {
    const parked = this.#parked.get(round)
    if (parked === undefined || parked.subject !== subject) {
      const { ProtocolError, ProtocolErrorCode } = this.#sdk
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
        reason: 'invalid_request_state',
      })
    }
    clearTimeout(parked.timer)
    this.#parked.delete(round)
    await parked.exchange.resume(context)
    return parked.exchange as ClientExchange<Result>
  }
}
