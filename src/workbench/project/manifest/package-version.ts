import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Returns the version of this package. It is resolved by name, because built files have another
 * path than sources.
 */
export function packageVersion(): string {
  return (require('loadout/package.json') as { readonly version: string }).version
}
