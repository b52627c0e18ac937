import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import type { ConditionAnswer } from '../../engine/model/consent-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { LONGEST_TIMER_MS, untilAborted } from '../commands/with-time-limit.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'

interface TrackedCall {
  /** The skill that owns its tool; null for other owners, and until the tool is known. */
  skill: string | null
  controller: AbortController
  readonly ended: Promise<void>
  /** The host's objects for its handler, and for what is called within it. */
  readonly services: unknown
}

/** One call of this process, from its request to its end. */
export interface CallInFlight {
  readonly call: string
  /** Aborted when its skill is deactivated, or the workspace closes. */
  readonly signal: AbortSignal
  /** Names the skill that owns its tool. */
  belongsTo(skill: string | null): void
  /**
   * Called when the call is judged. An abort because of an earlier deactivation is forgotten: by now the
   * tool may belong to another owner, or the skill may be active again.
   */
  starts(): void
  /** Waits for a call of another process with the same id: meanwhile this call is not the one that runs. */
  standAside(until: () => Promise<unknown>): Promise<void>
  end(): void
}

/** The end of a call that the log still shows as running. */
interface UnrecordedEnd {
  readonly command: Extract<Command, { type: 'call.end' }>
  readonly cause: Cause
}

/** The answer of a tool's condition about a call with these arguments. */
interface KnownCondition {
  readonly hash: ContentHash
  readonly digest: ContentHash
  readonly answer: Promise<ConditionAnswer>
}

const NONE: readonly UnrecordedEnd[] = []

/** More than the calls of any one answer. */
const MAX_CONDITIONS = 1000

/** The reason to abort a call. */
class CallAborted extends Error {
  override readonly name = 'CallAborted'
}

/** The calls that run in this process, so that a deactivation or a closing workspace can end them. */
export class CallsInFlight {
  /** Created at the first call, so that an idle session has none. */
  #calls: Map<string, TrackedCall> | undefined
  /** Calls that are not answered yet, by their key. Created with the first. */
  #unanswered: Map<string, Promise<ToolResponse>> | undefined
  /** Responses that the log does not keep, by the entry that started their call. Created with the first. */
  #responses: Map<number, ToolResponse> | undefined
  /** Answers about calls that were not made yet, by the id of the call. Created with the first. */
  #conditions: Map<string, KnownCondition> | undefined
  /** Questions that a person is being asked. Created with the first. */
  #questions: Map<string, Promise<unknown>> | undefined
  #unrecorded: readonly UnrecordedEnd[] = NONE
  #closed = false
  #late = 0

  get #running(): Map<string, TrackedCall> {
    this.#calls ??= new Map()
    return this.#calls
  }

  /** The number of handlers that ended after their call was over. Their results are dropped. */
  get late(): number {
    return this.#late
  }

  noteLate(): void {
    this.#late += 1
  }

  /** Keeps the end of a call that the log could not take, to record it later. */
  keepEnd(end: UnrecordedEnd): void {
    this.#unrecorded = [...this.#unrecorded, end]
  }

  /** Removes and returns the ends that are not recorded yet. The caller records them. */
  takeUnrecordedEnds(): readonly UnrecordedEnd[] {
    const ends = this.#unrecorded
    this.#unrecorded = NONE
    return ends
  }

  /** Returns the answer of the same call, while it has none yet: both have one id, and one of them runs. */
  unanswered(request: KeyedCall): Promise<ToolResponse> | undefined {
    const key = this.#keyOf(request)
    // The function that asks about a call may make that call: it would wait for itself.
    const isAsking = askScope.getStore()?.some((one) => one.of === this && one.key === key)
    return key === null || isAsking ? undefined : this.#unanswered?.get(key)
  }

  /** Notes a call until it is answered. */
  noteUnanswered(request: KeyedCall, answer: Promise<ToolResponse>): void {
    const key = this.#keyOf(request)
    if (key === null) return
    const unanswered = (this.#unanswered ??= new Map())
    unanswered.set(key, answer)
    void answer.then(() => unanswered.delete(key))
  }

  /** Runs the question about a call. */
  runAsking<T>(request: KeyedCall, ask: () => T): T {
    const asking = { of: this, key: this.#keyOf(request) }
    return askScope.run([...(askScope.getStore() ?? []), asking], ask)
  }

  /** Returns the key of a call; null for one without an id, and for one within that call: it would wait for itself. */
  #keyOf({ call, tool }: KeyedCall): string | null {
    return call === undefined || this.currentCalls().includes(call) ? null : `${call} ${tool}`
  }

  /**
   * Keeps the response of a call that may be made again.
   *
   * @param started the entry that started the call
   * @param before the entry before which no call is made again
   */
  keepResponse(started: number, before: number, response: ToolResponse): void {
    const responses = (this.#responses ??= new Map())
    for (const seq of responses.keys()) if (seq < before) responses.delete(seq)
    responses.set(started, response)
  }

  /** Returns a kept response, by the entry that started its call. */
  keptResponse(started: number): ToolResponse | undefined {
    return this.#responses?.get(started)
  }

  /** Returns the answer of a condition about a call that was not made yet. */
  knownCondition(call: string): KnownCondition | undefined {
    return this.#conditions?.get(call)
  }

  /** Keeps the answer of a condition until the call is made. */
  noteCondition(call: string, condition: KnownCondition): void {
    const conditions = (this.#conditions ??= new Map())
    const [oldest] = conditions.keys()
    if (conditions.size >= MAX_CONDITIONS && oldest !== undefined) conditions.delete(oldest)
    conditions.set(call, condition)
  }

  /** Asks a person, once at a time for each question: an answer to one call may answer another. */
  async askInTurn<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const questions = (this.#questions ??= new Map())
    while (questions.has(question)) await questions.get(question)
    const asking = ask().finally(() => questions.delete(question))
    questions.set(
      question,
      asking.catch(() => undefined),
    )
    return asking
  }

  forgetCondition(call: string): void {
    this.#conditions?.delete(call)
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Resolves when a call of this process has ended; null for any other call. */
  ended(call: string): Promise<void> | null {
    return this.#calls?.get(call)?.ended ?? null
  }

  /** Runs code that belongs to these calls, outermost first. */
  runWithin<T>(calls: readonly string[], run: () => T): T {
    return callScope.run({ of: this, calls, outer: callScope.getStore() }, run)
  }

  /**
   * Returns the running calls of this session that the running code belongs to, outermost first. Calls of another
   * session may have the same ids.
   */
  currentCalls(): readonly string[] {
    let scope = callScope.getStore()
    while (scope !== undefined && scope.of !== this) scope = scope.outer
    return scope?.calls.filter((call) => this.isRunning(call)) ?? []
  }

  /** Returns the innermost of them; null outside of a call. */
  currentCall(): string | null {
    return this.currentCalls().at(-1) ?? null
  }

  isRunning(call: string): boolean {
    return this.#calls?.has(call) ?? false
  }

  /** Returns the services of the innermost of some calls that still runs; null when none does. */
  servicesOf(calls: readonly string[]): { readonly services: unknown } | null {
    const call = calls.findLast((one) => this.isRunning(one))
    return call === undefined ? null : (this.#calls?.get(call) ?? null)
  }

  get isIdle(): boolean {
    return (this.#calls?.size ?? 0) === 0
  }

  /**
   * Adds a call, under the id from its provider, or under a new id if that one is taken. Null when the
   * workspace is closing.
   */
  begin(given: string | undefined, isTaken: boolean, services?: unknown): CallInFlight | null {
    if (this.#closed) return null
    const isFree = given !== undefined && !isTaken && !this.#running.has(given)
    const call = isFree ? given : crypto.randomUUID()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const controller = new AbortController()
    const running: TrackedCall = { skill: null, controller, ended, services }
    this.#running.set(call, running)
    return {
      call,
      get signal() {
        return running.controller.signal
      },
      belongsTo: (skill) => {
        running.skill = skill
      },
      starts: () => {
        const wasAborted = running.controller.signal.aborted && !this.#closed
        if (wasAborted) running.controller = new AbortController()
      },
      standAside: async (until) => {
        this.#running.delete(call)
        await until().finally(() => this.#running.set(call, running))
      },
      end: () => {
        this.#running.delete(call)
        resolve()
      },
    }
  }

  /**
   * Waits until the calls of some skills have ended, at most `limitMs`; null when none is running. The
   * calls that the running code belongs to are left out: they would wait for themselves.
   */
  drain(skills: readonly string[], limitMs: number): Promise<void> | null {
    const waiting = this.#others(skills).map(({ ended }) => ended)
    if (waiting.length === 0) return null
    const { promise: limit, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.min(limitMs, LONGEST_TIMER_MS))
    return Promise.race([Promise.all(waiting), limit]).then(() => clearTimeout(timer))
  }

  /** Aborts the calls of some skills, except those that the running code belongs to. */
  abort(skills: readonly string[], reason: string): void {
    for (const { controller } of this.#others(skills)) controller.abort(new CallAborted(reason))
  }

  /** Accepts no more calls, aborts every running one, and waits for their answers. */
  async close(): Promise<void> {
    this.#closed = true
    const all = [...(this.#calls?.values() ?? [])]
    for (const { controller } of all) controller.abort(new CallAborted('The workspace is closing.'))
    await Promise.all(all.map(({ ended }) => ended))
  }

  #others(skills: readonly string[]): readonly TrackedCall[] {
    const own = this.currentCalls()
    return [...(this.#calls ?? [])]
      .filter(
        ([call, { skill }]) => skill !== null && skills.includes(skill) && !own.includes(call),
      )
      .map(([, running]) => running)
  }
}

/** The calls that the running code belongs to, and the session that they are in. */
interface CallScope {
  readonly of: CallsInFlight
  /** Outermost first. */
  readonly calls: readonly string[]
  /** Calls of other sessions that these belong to. */
  readonly outer: CallScope | undefined
}

const callScope = new AsyncLocalStorage<CallScope>()

/** The calls that the running code asks a person about. */
const askScope = new AsyncLocalStorage<
  readonly { readonly of: CallsInFlight; readonly key: string | null }[]
>()

/** The caller gave up, or the workspace is closing, before the call was started. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** Awaits work for a call, until the call is given up: then it rejects with `GivenUp`. */
export async function unlessGivenUp<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await untilAborted(work, signal)
  } catch (problem) {
    if (!signal.aborted) throw problem
    throw new GivenUp(thrownMessage(signal.reason))
  }
}

/** The members of a request that identify a call in its step. */
interface KeyedCall {
  readonly call?: string
  readonly tool: string
}
