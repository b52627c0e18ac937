import { registerHooks } from 'node:module'

/** What a handler or a configuration may import wherever it stands. */
const LENT = /^(?:loadout(?:\/.*)?|zod)$/

let registered = false

/**
 * Let modules anywhere on disk import `loadout` and `zod`: from their own `node_modules` when
 * those have it, else from this very package. So a folder of skills needs no install of its own.
 */
export function lendOwnPackage(): void {
  if (registered) return
  registered = true
  registerHooks({
    resolve(specifier, context, next) {
      if (!LENT.test(specifier)) return next(specifier, context)
      try {
        return next(specifier, context)
      } catch (error) {
        if (!isNotFound(error)) throw error
        return next(specifier, { ...context, parentURL: import.meta.url })
      }
    },
  })
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}
