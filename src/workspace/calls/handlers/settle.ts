import { attempt } from '../../commands/attempt.ts'
import { quietPromise } from './quiet-promises.ts'

/** How a call to code of others ended. */
export type Settled =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly thrown: unknown }

/** Thenables followed one into the other before the chain is called endless. */
const HOPS = 100

/**
 * Call, and follow what comes back until it is a plain value or an error. Never rejects;
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
    follow(value, HOPS, resolve)
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
    if (hops === 0) throw new Error(`It returned a chain of more than ${HOPS} thenables.`)
    const rest: unknown = Reflect.apply(then, value, [
      (next: unknown) => once(() => follow(next, hops - 1, done)),
      (thrown: unknown) => once(() => done({ kind: 'threw', thrown })),
    ])
    attempt(() => quietPromise(rest))
  } catch (thrown) {
    once(() => done({ kind: 'threw', thrown }))
  }
}
