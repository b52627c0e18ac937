import { types } from 'node:util'
import { attempt } from '../../commands/attempt.ts'

/** Objects looked at in one value. */
const REACH = 10_000

/** Take the sting out of a promise nobody will wait for: its rejection counts as handled. */
export function quietPromise(value: unknown): void {
  if (!types.isPromise(value)) return
  attempt(() => Reflect.apply(Promise.prototype.then, value, [undefined, () => {}]))
}

/**
 * Quiet the promises inside a result that is refused or dropped.
 *
 * A handler that forgot `Promise.all` returns a list of promises; the ones that reject would
 * end the host's process otherwise. Runs no getters and looks at 10,000 objects at most.
 */
export function quietPromises(value: unknown): void {
  const seen = new Set<unknown>()
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && seen.size < REACH) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    quietPromise(next)
    if (types.isProxy(next) || types.isPromise(next) || ArrayBuffer.isView(next)) continue
    for (const key of Object.keys(next).slice(0, REACH)) {
      waiting.push(Object.getOwnPropertyDescriptor(next, key)?.value)
    }
  }
}
