import { randomUUID } from 'node:crypto'
import { isObject, thrownMessage } from '../../../entries/kit.ts'

type Members = Readonly<Record<string, unknown>>

/** A message of JSON-RPC. */
export interface WireMessage {
  readonly jsonrpc?: '2.0'
  readonly id?: string | number
  readonly method?: string
  readonly params?: Members
  readonly result?: Members
  readonly error?: { readonly code: number; readonly message: string }
}

/** The end of a request. */
export type WireAnswer = Pick<WireMessage, 'result' | 'error'>

/** A transport of either SDK, as far as a gate uses it. */
export interface WireTransport {
  onmessage?: ((message: WireMessage, extra?: unknown) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  start(): Promise<void>
  send(message: WireMessage, options?: unknown): Promise<void>
  close(): Promise<void>
}

/** A request of the client that waits at the gate. */
export interface GatedRequest {
  readonly id: string | number
  readonly params: Members
  /** Aborted when the client gives the request up, and when the connection closes. */
  readonly signal: AbortSignal
  /** Gives the request to the server, as it came or with other parameters. */
  pass(params?: Members): Promise<WireAnswer>
  /** Makes a request of its own to the server, in the place of the client. */
  ask(method: string, params: Members): Promise<WireAnswer>
}

type GateFunction = (request: GatedRequest) => Promise<WireAnswer>

/** The gate of a transport. */
export interface TransportGate {
  /** The methods whose requests wait, with the functions that answer them. */
  readonly methods: ReadonlyMap<string, GateFunction>
  /** Notified when the server says that its list of tools has changed. */
  onListChanged(): void
}

const INVALID_REQUEST = -32_600

const INTERNAL_ERROR = -32_603

/**
 * Puts a gate between a transport and the server that is connected to it. All other messages pass unchanged, in both
 * directions.
 *
 * Returns a function that makes requests to the server.
 */
export function gateTransport(transport: WireTransport, gate: TransportGate) {
  const gated = new GatedTransport(transport, gate)
  Object.assign(transport, gated.listeners)
  return (method: string, params: Members) => gated.ask(method, params)
}

class GatedTransport {
  readonly #transport: WireTransport
  readonly #gate: TransportGate
  /** The members of the transport before the gate. */
  readonly #own: Pick<WireTransport, 'onmessage' | 'onclose' | 'send'>
  /** The requests that the server has, with the functions that get its answers. */
  readonly #waiting = new Map<string | number, (answer: WireMessage) => void>()
  readonly #running = new Map<string | number, AbortController>()
  readonly listeners: Pick<WireTransport, 'onmessage' | 'onclose' | 'send'> = {
    onmessage: (message, extra) => this.#receive(message, extra),
    send: (message, options) => this.#send(message, options),
    onclose: () => {
      for (const one of this.#running.values()) one.abort(new Error('The connection closed.'))
      this.#own.onclose?.call(this.#transport)
    },
  }

  constructor(transport: WireTransport, gate: TransportGate) {
    const { onmessage, onclose, send } = transport
    this.#transport = transport
    this.#gate = gate
    this.#own = { onmessage, onclose, send }
  }

  /** Makes a request to the server. Its answer may serve several requests of the client, so none of them aborts it. */
  ask(method: string, params: Members, extra?: unknown): Promise<WireAnswer> {
    return this.#pass({ ...VERSION, id: `loadout-${randomUUID()}`, method, params }, extra)
  }

  #receive(message: WireMessage, extra: unknown): void {
    const { id, method = '', params } = message
    const answering = id === undefined ? undefined : this.#gate.methods.get(method)
    if (answering) return void this.#answer(message, extra, answering)
    this.#own.onmessage?.call(this.#transport, message, extra)
    if (method !== 'notifications/cancelled' || !isObject(params)) return
    const { requestId, reason } = params
    const because = new Error(`The client cancelled it: ${String(reason)}`)
    this.#running.get(requestId as string)?.abort(because)
  }

  #send(message: WireMessage, options: unknown): Promise<void> {
    const { id, method } = message
    if (method === 'notifications/tools/list_changed') this.#gate.onListChanged()
    const take = id === undefined || method !== undefined ? undefined : this.#waiting.get(id)
    if (take === undefined) return this.#own.send.call(this.#transport, message, options)
    take(message)
    return Promise.resolve()
  }

  /** Gives a request to the server, and waits for its answer. */
  #pass(message: WireMessage, extra: unknown, signal?: AbortSignal): Promise<WireAnswer> {
    const { id = '' } = message
    const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>()
    const onAbort = () => reject(signal?.reason as Error)
    this.#waiting.set(id, resolve)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted === true) onAbort()
    else this.#own.onmessage?.call(this.#transport, message, extra)
    return promise.finally(() => {
      this.#waiting.delete(id)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  async #answer(message: WireMessage, extra: unknown, answering: GateFunction): Promise<void> {
    const { id = '', params = {} } = message
    const aborting = new AbortController()
    const { signal } = aborting
    const isTaken = this.#running.has(id)
    if (!isTaken) this.#running.set(id, aborting)
    const request: GatedRequest = {
      id,
      params,
      signal,
      pass: (given = params) =>
        this.#pass(given === params ? message : { ...message, params: given }, extra, signal),
      ask: (method, given) => this.ask(method, given, extra),
    }
    try {
      const answer = isTaken
        ? failure(INVALID_REQUEST, 'Another request has this id.')
        : await answering(request).catch((error: unknown) =>
            failure(INTERNAL_ERROR, thrownMessage(error)),
          )
      if (signal.aborted) return
      await this.#own.send.call(this.#transport, { ...answer, ...VERSION, id })
    } catch (error) {
      this.#transport.onerror?.(error instanceof Error ? error : new Error(thrownMessage(error)))
    } finally {
      if (!isTaken) this.#running.delete(id)
    }
  }
}

const VERSION = { jsonrpc: '2.0' } as const

/** Returns the error of the protocol for a request. */
export function failure(code: number, message: string): WireAnswer {
  return { error: { code, message } }
}
