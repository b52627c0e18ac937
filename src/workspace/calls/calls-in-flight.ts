import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import { LONGEST_TIMER_MS } from '../commands/with-time-limit.ts'

interface TrackedCall {
  /** The skill whose tool it is; null for others, and until that is known. */
  skill: string | null
  controller: AbortController
  readonly ended: Promise<void>
}

/** One call of this process, from the moment it comes to the gate to its answer. */
export interface CallInFlight {
  readonly call: string
  /** Aborted when its skill leaves, or the workspace closes. */
  readonly signal: AbortSignal
  /** Say which skill's tool it is. */
  belongsTo(skill: string | null): void
  /**
   * Its turn has come to be judged: a skill that left before is no matter. Its tool may be another
   * one's now, or the skill is back.
   */
  starts(): void
  /** It has its answer, and is in flight until this has settled. */
  goesOn(rest: Promise<unknown>): void
  end(): void
}

/** How a call ended that the log still has for running. */
interface UnrecordedEnd {
  readonly command: Extract<Command, { type: 'call.end' }>
  readonly cause: Cause
}

/** Why a call was aborted. */
class CallAborted extends Error {
  override readonly name = 'CallAborted'
}

/** The calls running in this process, so that a leaving skill and a closing workspace end them. */
export class CallsInFlight {
  /** Made at the first call: an idle session holds none. */
  #held: Map<string, TrackedCall> | undefined
  readonly #untold: UnrecordedEnd[] = []
  #closed = false
  #late = 0

  get #running(): Map<string, TrackedCall> {
    this.#held ??= new Map()
    return this.#held
  }

  /** Handlers that ended after they were given up on; what they gave was dropped. */
  get late(): number {
    return this.#late
  }

  noteLate(): void {
    this.#late += 1
  }

  /** Keep the end of a call that the log could not take, to be told later. */
  owe(end: UnrecordedEnd): void {
    this.#untold.push(end)
  }

  /** The ends that were not told so far; who takes them tells them. */
  takeUntold(): readonly UnrecordedEnd[] {
    return this.#untold.splice(0)
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Settles when a call of this process has ended; null for any other. */
  ended(call: string): Promise<void> | null {
    return this.#held?.get(call)?.ended ?? null
  }

  isRunning(call: string): boolean {
    return this.#held?.has(call) ?? false
  }

  get isIdle(): boolean {
    return (this.#held?.size ?? 0) === 0
  }

  /**
   * Note a call, under the id its provider gave it unless that one is taken; else under a new one.
   * Null when the workspace is closing.
   */
  begin(given: string | undefined, isTaken: (call: string) => boolean): CallInFlight | null {
    if (this.#closed) return null
    const isFree = given !== undefined && !this.#running.has(given) && !isTaken(given)
    const call = isFree ? given : randomUUID()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const running: TrackedCall = { skill: null, controller: new AbortController(), ended }
    this.#running.set(call, running)
    let rest: Promise<unknown> | null = null
    const end = (): void => {
      this.#running.delete(call)
      resolve()
    }
    return {
      call,
      get signal() {
        return running.controller.signal
      },
      belongsTo: (skill) => {
        running.skill = skill
      },
      starts: () => {
        const wasLeft = running.controller.signal.aborted && !this.#closed
        if (wasLeft) running.controller = new AbortController()
      },
      goesOn: (given) => {
        rest = given
      },
      end: () => (rest === null ? end() : void rest.then(end, end)),
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

  /** Abort the calls of some skills, but for those the running code was made by. */
  abort(skills: readonly string[], reason: string): void {
    for (const { controller } of this.#others(skills)) controller.abort(new CallAborted(reason))
  }

  /** Take no more calls, abort every one and wait for them to answer. */
  async close(): Promise<void> {
    this.#closed = true
    const all = [...(this.#held?.values() ?? [])]
    for (const { controller } of all) controller.abort(new CallAborted('The workspace is closing.'))
    await Promise.all(all.map(({ ended }) => ended))
  }

  #others(skills: readonly string[]): readonly TrackedCall[] {
    const own = callScope.getStore() ?? []
    return [...(this.#held ?? [])]
      .filter(
        ([call, { skill }]) => skill !== null && skills.includes(skill) && !own.includes(call),
      )
      .map(([, running]) => running)
  }
}

/** The calls that the running code was made by, outermost first. */
export const callScope = new AsyncLocalStorage<readonly string[]>()
