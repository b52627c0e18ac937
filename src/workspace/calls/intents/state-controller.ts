import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IntentCommand } from '../../../engine/model/command.ts'
import {
  dueIntents,
  type IntentFailure,
  type PendingIntent,
  type SessionControls,
} from '../../../engine/model/intent-event.ts'
import { serialQueue } from '../../../kernel/serial-queue.ts'
import { BUILT_IN_INTENTS } from '../../../tools/intents/define-intent.ts'
import type { Outcome } from '../../commands/outcome.ts'
import type { ReadonlySessionStore } from '../../commands/session-store.ts'
import { thrownMessage } from '../../commands/thrown-message.ts'
import { withTimeLimit } from '../../commands/with-time-limit.ts'

type Failure = { readonly code: IntentFailure; readonly message: string } | null

/** So long a handler may take unless the host says otherwise, in milliseconds. */
const HANDLER_LIMIT_MS = 10_000

/** For telling the log what came of a handler that took all of its time, in milliseconds. */
const GRACE_MS = 5_000

/**
 * The orchestrator of one session: applies the intents that tools returned, each at its moment and in
 * the order they came, through the handlers of the host.
 *
 *     const controller = new StateController(workspace, {
 *       handlers: { END_VOICE_SESSION: () => line.hangUp(), HAND_OFF: ({ payload }) => queue.add(payload) },
 *     })
 *     …
 *     await workspace.endTurn()
 *     await controller.settled()
 *     if (controller.controls.ended) …
 *
 * Several processes may each have one: which of them runs a handler is settled by the log. An intent is
 * taken before its handler runs, so a process that dies in the middle leaves it as `interrupted`, and
 * never runs it twice.
 */
export class StateController {
  readonly #session: ControlledSession
  readonly #handlers: ReadonlyMap<string, IntentHandler>
  readonly #limitMs: number
  readonly #onError: (error: unknown) => void
  readonly #taker = randomUUID()
  /** What handlers came to that the log could not take so far. */
  readonly #untold = new Map<string, Failure>()
  /** A pass begins in whatever code changed the session, and must not count as a part of it. */
  readonly #outside = AsyncLocalStorage.snapshot()
  readonly #unsubscribe: () => void
  readonly #inTurn = serialQueue()
  #wanted = false
  #closed = false

  constructor(session: ControlledSession, options: StateControllerOptions = {}) {
    const { handlers = {}, limitMs = HANDLER_LIMIT_MS, onError = warn } = options
    this.#session = session
    this.#handlers = new Map(Object.entries(handlers))
    this.#limitMs = limitMs
    this.#onError = onError
    this.#unsubscribe = session.store.subscribe(({ state }, { state: before }) => {
      const { intents, turn, endedTurn } = state
      if (intents === before.intents && turn === before.turn && endedTurn === before.endedTurn)
        return
      this.#wake()
    })
    this.#wake()
  }

  /** What the built-in intents came to, in this turn. */
  get controls(): SessionControls {
    return this.#session.store.getState().state.controls
  }

  /** The intents that wait for their moment, or for their handler. */
  get pending(): readonly PendingIntent[] {
    return this.#session.store.getState().state.intents
  }

  /**
   * Resolves when nothing is due any more; rejects when the log could not take what came of it. Not for
   * handlers: each would wait for itself.
   */
  settled(): Promise<void> {
    return this.#closed ? this.#ended() : this.#queue()
  }

  /** Apply nothing more, and wait for the handler that runs. */
  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    await this.#ended()
  }

  /** Every pass that was begun has ended. */
  #ended(): Promise<void> {
    return this.#inTurn(async () => undefined)
  }

  #wake(): void {
    if (this.#closed || this.#wanted || !this.#hasWork()) return
    this.#wanted = true
    this.#queue().catch(this.#onError)
  }

  /** Passes follow each other: within a process, intents are applied in their order. */
  #queue(): Promise<void> {
    return this.#outside(() =>
      this.#inTurn(() => {
        this.#wanted = false
        return this.#pass()
      }),
    )
  }

  #hasWork(): boolean {
    return dueIntents(this.#session.store.getState().state).length > 0
  }

  /** One after another, the due ones as they are when each is done: a handler may bring more. */
  async #pass(): Promise<void> {
    const waiting = new Set(this.pending.map(({ id }) => id))
    for (const id of this.#untold.keys()) if (!waiting.has(id)) this.#untold.delete(id)
    const tried = new Set<string>()
    for (;;) {
      const due = dueIntents(this.#session.store.getState().state)
      const next = due.find(({ id }) => !tried.has(id))
      if (next === undefined || this.#closed) return
      tried.add(next.id)
      await this.#apply(next)
    }
  }

  async #apply(intent: PendingIntent): Promise<void> {
    const { id, type } = intent
    const known = this.#untold.get(id)
    if (known !== undefined) return this.#settle(id, known)
    const handler = this.#handlers.get(type)
    if (handler === undefined && intent.taken === null) {
      return this.#settle(id, BUILT_IN_TYPES.has(type) ? null : noHandler(type))
    }
    const taker = this.#taker
    const take = { type: 'intent.take' as const, id, taker, limitMs: this.#limitMs + GRACE_MS }
    const taken = await this.#session.recordIntent(take)
    if (!taken.ok || handler === undefined) return
    await this.#settle(id, await this.#run(handler, intent))
  }

  /** Never rejects. */
  async #run(handler: IntentHandler, intent: PendingIntent): Promise<Failure> {
    try {
      const what = `The handler of "${intent.type}"`
      await withTimeLimit(what, this.#limitMs, (signal) => handler(intent, signal))
      return null
    } catch (error) {
      return { code: 'handler-failed', message: thrownMessage(error) }
    }
  }

  async #settle(id: string, failure: Failure): Promise<void> {
    this.#untold.set(id, failure)
    await this.#session.recordIntent({
      type: 'intent.settle',
      id,
      taker: this.#taker,
      failure,
    })
    this.#untold.delete(id)
  }
}

const BUILT_IN_TYPES: ReadonlySet<string> = new Set(BUILT_IN_INTENTS.map(({ type }) => type))

function noHandler(type: string): Failure {
  return { code: 'no-handler', message: `The host has no handler for "${type}".` }
}

function warn(error: unknown): void {
  process.emitWarning(thrownMessage(error), { type: 'LoadoutIntentWarning' })
}

/** What a `StateController` needs of a workspace; a `VirtualWorkspace` is one. */
export interface ControlledSession {
  readonly store: ReadonlySessionStore
  recordIntent(command: IntentCommand): Promise<Outcome>
}

/**
 * Brings an intent about in the host's own world. It is run once for an intent, by one process; what it
 * throws is logged and not tried again. The signal says that its time is up.
 */
export type IntentHandler = (intent: PendingIntent, signal: AbortSignal) => unknown

/** How a `StateController` applies intents. */
export interface StateControllerOptions {
  /** By type of intent. A built-in one needs none: it changes `controls` alone. */
  readonly handlers?: Readonly<Record<string, IntentHandler>>
  /** Milliseconds a handler may take; 10,000 when absent. */
  readonly limitMs?: number
  /** Told when the log could not take an entry; the intents wait for the next change. */
  onError?(error: unknown): void
}
