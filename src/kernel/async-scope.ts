import type * as Hooks from 'node:async_hooks'
import { builtIn } from './built-in.ts'

/** Follows code to its first `await`, in a runtime that follows none further. */
class SyncScope<Store> {
  #store: Store | undefined

  run<Result>(store: Store, work: () => Result): Result {
    const before = this.#store
    this.#store = store
    try {
      return work()
    } finally {
      this.#store = before
    }
  }

  getStore(): Store | undefined {
    return this.#store
  }

  static snapshot() {
    return <Result>(work: () => Result): Result => work()
  }
}

/** The place of running code, which Node and edge runtimes follow through its promises. */
export const AsyncScope = (builtIn<typeof Hooks>('async_hooks')?.AsyncLocalStorage ??
  SyncScope) as typeof Hooks.AsyncLocalStorage
