import { AsyncLocalStorage } from 'node:async_hooks'
import { writeWarning } from '../../commands/outcome.ts'
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
import { thrownMessage } from '../../../kernel/thrown-message.ts'
import { withTimeLimit } from '../../commands/with-time-limit.ts'

type Failure = { readonly code: IntentFailure; readonly message: string } | null

/** Milliseconds a handler may take by default. */
const HANDLER_LIMIT_MS = 10_000

/** Milliseconds to record the outcome of a handler that took all of its time. */
const GRACE_MS = 5_000

/**
 * The orchestrator of one session: applies the intents that tools returned through the handlers of the
 * host, each at its moment and in the order they were returned.
 *
 *     const controller = new StateController(workspace, {
 *       handlers: { END_VOICE_SESSION: () => line.hangUp(), HAND_OFF: ({ payload }) => queue.add(payload) },
 *     })
 *     …
 *     await workspace.endTurn()
 *     await controller.settled()
 *     if (controller.controls.ended) …
 *
 * Several processes may each have one: the log decides which of them runs a handler. An intent is taken
 * before its handler runs. So when a process dies in between, the intent becomes `interrupted`, and never
 * runs twice.
 */
export class StateController {
  readonly #session: ControlledSession
  readonly #handlers: ReadonlyMap<string, IntentHandler>
  readonly #limitMs: number
  readonly #onError: (error: unknown) => void
  readonly #taker = crypto.randomUUID()
  /** Outcomes of handlers that the log could not take so far. */
  readonly #unrecorded = new Map<string, Failure>()
  /** A pass starts in the code that changed the session, but must not count as a part of it. */
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

  /** The effects of built-in intents in this turn. */
  get controls(): SessionControls {
    return this.#session.store.getState().state.controls
  }

  /** Intents that wait for their moment, or for their handler. */
  get pending(): readonly PendingIntent[] {
    return this.#session.store.getState().state.intents
  }

  /**
   * Resolves when no intent is due any more; rejects when the log could not take an outcome. Do not await
   * it in a handler, which would wait for itself.
   */
  settled(): Promise<void> {
    return this.#closed ? this.#ended() : this.#queue()
  }

  /** Applies no more intents, and waits for the handler that runs. */
  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    await this.#ended()
  }

  /** Resolves when every started pass has ended. */
  #ended(): Promise<void> {
    return this.#inTurn(async () => undefined)
  }

  #wake(): void {
    if (this.#closed || this.#wanted || !this.#hasWork()) return
    this.#wanted = true
    this.#queue().catch(this.#onError)
  }

  /** Passes run one after another: within a process, intents are applied in order. */
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

  /** Applies due intents one after another, and looks again after each: a handler may add more. */
  async #pass(): Promise<void> {
    const waiting = new Set(this.pending.map(({ id }) => id))
    for (const id of this.#unrecorded.keys()) if (!waiting.has(id)) this.#unrecorded.delete(id)
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
    const known = this.#unrecorded.get(id)
    if (known !== undefined) return this.#settle(id, known)
    const handler = this.#handlers.get(type)
    if (handler === undefined && intent.taken === null) {
      return this.#settle(id, BUILT_IN_TYPES.has(type) ? null : noHandler(type))
    }
    const taker = this.#taker
    const take = { type: 'intent.take' as const, id, taker, limitMs: this.#limitMs + GRACE_MS }
    const taken = await this.#session.calls.recordIntent(take)
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
    this.#unrecorded.set(id, failure)
    await this.#session.calls.recordIntent({
      type: 'intent.settle',
      id,
      taker: this.#taker,
      failure,
    })
    this.#unrecorded.delete(id)
  }
}

const BUILT_IN_TYPES: ReadonlySet<string> = new Set(BUILT_IN_INTENTS.map(({ type }) => type))

function noHandler(type: string): Failure {
  return { code: 'no-handler', message: `The host has no handler for "${type}".` }
}

function warn(error: unknown): void {
  writeWarning(thrownMessage(error), { type: 'LoadoutIntentWarning' })
}

/** The part of a workspace that a `StateController` needs. */
export interface ControlledSession {
  readonly store: ReadonlySessionStore
  readonly calls: { recordIntent(command: IntentCommand): Promise<Outcome> }
}

/**
 * Applies an intent in the host. It runs once per intent, in one process. An error is logged and the
 * handler is not tried again. The signal is aborted when its time is up.
 */
export type IntentHandler = (intent: PendingIntent, signal: AbortSignal) => unknown

/** Options of a `StateController`. */
export interface StateControllerOptions {
  /** By type of intent. A built-in one needs none: it changes `controls` alone. */
  readonly handlers?: Readonly<Record<string, IntentHandler>>
  /** Milliseconds a handler may take; 10,000 when absent. */
  readonly limitMs?: number
  /** Called when the log could not take an entry. The intents wait for the next change. */
  onError?(error: unknown): void
}
