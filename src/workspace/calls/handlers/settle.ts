import { types } from 'node:util'
import { tryOrUndefined } from '../../../kernel/thrown-message.ts'

/** The end of a call to untrusted code. */
export type Settled =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly thrown: unknown }

/** Thenables that are followed before the chain counts as endless. */
const MAX_THENABLES = 100

/**
 * Calls a function, and follows what it returns until it is a plain value or an error. Never rejects;
 * never settles when the code never does.
 *
 * Thenables are followed by hand rather than by `await`: one that resolves with itself
 * would keep `await` in microtasks for ever, where no timer runs, and one whose `then` is
 * an async function that fails would leave an unhandled rejection.
 */
export function settle(call: () => unknown): Promise<Settled> {
  return new Promise((resolve) => {
    let value: unknown
    try {
      value = call()
    } catch (thrown) {
      resolve({ kind: 'threw', thrown })
      return
    }
    follow(value, MAX_THENABLES, resolve)
  })
}

function follow(value: unknown, hops: number, done: (settled: Settled) => void): void {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') {
    done({ kind: 'returned', value })
    return
  }
  let settled = false
  const once = (next: () => void): void => {
    if (settled) return
    settled = true
    next()
  }
  try {
    const then: unknown = Reflect.get(value, 'then')
    if (typeof then !== 'function') {
      once(() => done({ kind: 'returned', value }))
      return
    }
    if (hops === 0) throw new Error(`It returned a chain of more than ${MAX_THENABLES} thenables.`)
    const rest: unknown = Reflect.apply(then, value, [
      (next: unknown) => once(() => follow(next, hops - 1, done)),
      (thrown: unknown) => once(() => done({ kind: 'threw', thrown })),
    ])
    tryOrUndefined(() => ignoreRejection(rest))
  } catch (thrown) {
    once(() => done({ kind: 'threw', thrown }))
  }
}

/** Objects looked at in one value. */
const MAX_OBJECTS = 10_000

/** Marks the rejection of a promise that is not awaited as handled. */
export function ignoreRejection(value: unknown): void {
  if (!types.isPromise(value)) return
  tryOrUndefined(() => Reflect.apply(Promise.prototype.then, value, [undefined, () => {}]))
}

/**
 * Marks the rejections of promises inside a refused or dropped result as handled.
 *
 * A handler that forgot `Promise.all` returns a list of promises; the ones that reject would
 * end the host's process otherwise. Runs no getters and looks at 10,000 objects at most.
 */
export function ignoreRejections(value: unknown): void {
  const seen = new Set<unknown>()
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && seen.size < MAX_OBJECTS) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    ignoreRejection(next)
    if (types.isProxy(next) || types.isPromise(next) || ArrayBuffer.isView(next)) continue
    for (const key of Object.keys(next).slice(0, MAX_OBJECTS)) {
      waiting.push(Object.getOwnPropertyDescriptor(next, key)?.value)
    }
  }
}
