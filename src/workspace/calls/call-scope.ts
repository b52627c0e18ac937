import { AsyncLocalStorage } from 'node:async_hooks'

/** The calls that the running code was made by, outermost first. */
export const callScope = new AsyncLocalStorage<readonly string[]>()
