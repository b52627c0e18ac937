import { randomUUID } from 'node:crypto'
import { isObject, thrownMessage } from '../../../entries/kit.ts'

type Members = Readonly<Record<string, unknown>>

/** A message of JSON-RPC. */
export interface WireMessage {
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
  const { onmessage, onclose, send } = transport
  const waiting = new Map<string | number, (answer: WireMessage) => void>()
  const running = new Map<string | number, AbortController>()

  const asked = (message: WireMessage, extra: unknown, signal?: AbortSignal) => {
    const { id = '' } = message
    const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>()
    const onAbort = () => reject(signal?.reason as Error)
    waiting.set(id, resolve)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted === true) onAbort()
    else onmessage?.call(transport, message, extra)
    return promise.finally(() => {
      waiting.delete(id)
      signal?.removeEventListener('abort', onAbort)
    })
  }
  // Its answer may serve other requests as well, so it goes on when this one is given up.
  const ask = (method: string, params: Members, extra?: unknown) =>
    asked({ ...VERSION, id: `loadout-${randomUUID()}`, method, params } as WireMessage, extra)

  const answerTo = async (
    message: WireMessage,
    extra: unknown,
    answering: GateFunction,
  ): Promise<void> => {
    const { id = '', params = {} } = message
    const aborting = new AbortController()
    const { signal } = aborting
    const isTaken = running.has(id)
    if (!isTaken) running.set(id, aborting)
    const request: GatedRequest = {
      id,
      params,
      signal,
      pass: (given = params) =>
        asked(given === params ? message : { ...message, params: given }, extra, signal),
      ask: (other, given) => ask(other, given, extra),
    }
    try {
      const answer: WireAnswer = isTaken
        ? failure(INVALID_REQUEST, 'Another request has this id.')
        : await answering(request).catch((error: unknown) =>
            failure(INTERNAL_ERROR, thrownMessage(error)),
          )
      if (!signal.aborted) await send.call(transport, { ...answer, ...VERSION, id })
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(thrownMessage(error)))
    } finally {
      if (!isTaken) running.delete(id)
    }
  }

  const gated: Pick<WireTransport, 'onmessage' | 'onclose' | 'send'> = {
    onmessage: (message, extra) => {
      const { id, method = '', params } = message
      const answering = id === undefined ? undefined : gate.methods.get(method)
      if (answering) return void answerTo(message, extra, answering)
      onmessage?.call(transport, message, extra)
      if (method !== 'notifications/cancelled' || !isObject(params)) return
      const { requestId, reason } = params
      const because = new Error(`The client cancelled it: ${String(reason)}`)
      running.get(requestId as string)?.abort(because)
    },
    onclose: () => {
      for (const one of running.values()) one.abort(new Error('The connection closed.'))
      onclose?.call(transport)
    },
    send: (message, options) => {
      const { id, method } = message
      if (method === 'notifications/tools/list_changed') gate.onListChanged()
      const answered = id === undefined || method !== undefined ? undefined : waiting.get(id)
      if (answered === undefined) return send.call(transport, message, options)
      answered(message)
      return Promise.resolve()
    },
  }
  Object.assign(transport, gated)
  return ask
}

const VERSION = { jsonrpc: '2.0' } as const

/** Returns the error of the protocol for a request. */
export function failure(code: number, message: string): WireAnswer {
  return { error: { code, message } }
}
