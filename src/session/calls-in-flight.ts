import { randomUUID } from 'node:crypto'
import { callScope } from './call-scope.ts'

/** A call whose handler is running in this process. */
interface RunningCall {
  readonly owner: string
  readonly controller: AbortController
  readonly ended: Promise<void>
}

/** Why a call was aborted. */
export class CallAborted extends Error {
  override readonly name = 'CallAborted'
}

/** The calls running in this process, so that a leaving skill and a closing workspace end them. */
export class CallsInFlight {
  readonly #running = new Map<string, RunningCall>()

  /** The id a provider gave a call, unless one of that id is running; else a new one. */
  freeId(given: string | undefined): string {
    return given === undefined || this.#running.has(given) ? randomUUID() : given
  }

  /** Note a call; the returned function notes its end. */
  begin(call: string, owner: string): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    this.#running.set(call, { owner, controller, ended })
    const end = () => {
      this.#running.delete(call)
      resolve()
    }
    return { signal: controller.signal, end }
  }

  /**
   * Wait until the calls of a skill have ended, at most `limitMs`. A call that the running
   * code was made by is not waited for: it would wait for itself.
   */
  async drain(owners: readonly string[], limitMs: number): Promise<void> {
    const waiting = this.#others(owners).map(({ ended }) => ended)
    if (waiting.length === 0) return
    const { promise: limit, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, limitMs)
    await Promise.race([Promise.all(waiting), limit])
    clearTimeout(timer)
  }

  /** Abort the calls of some skills, but for those the running code was made by. */
  abort(owners: readonly string[], reason: string): void {
    for (const { controller } of this.#others(owners)) controller.abort(new CallAborted(reason))
  }

  /** Abort every call and wait for them to answer. */
  async close(): Promise<void> {
    const all = [...this.#running.values()]
    for (const { controller } of all) controller.abort(new CallAborted('The workspace is closing.'))
    await Promise.all(all.map(({ ended }) => ended))
  }

  #others(owners: readonly string[]): readonly RunningCall[] {
    const own = callScope.getStore() ?? []
    return [...this.#running]
      .filter(([call, { owner }]) => owners.includes(owner) && !own.includes(call))
      .map(([, running]) => running)
  }
}
