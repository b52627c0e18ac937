import { types } from 'node:util'

/** The end of a call to untrusted code. */
export type Settled =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly thrown: unknown }

/** Calls a function at once and awaits what it returns. Never rejects; never settles when the code never does. */
export async function settle(call: () => unknown): Promise<Settled> {
  try {
    return { kind: 'returned', value: await call() }
  } catch (thrown) {
    return { kind: 'threw', thrown }
  }
}

/** Objects looked at in one value. */
const MAX_OBJECTS = 10_000

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
    if (types.isPromise(next)) next.catch(() => {})
    else if (!types.isProxy(next) && !ArrayBuffer.isView(next)) {
      for (const key of Object.keys(next).slice(0, MAX_OBJECTS)) {
        waiting.push(Object.getOwnPropertyDescriptor(next, key)?.value)
      }
    }
  }
}
