import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The version of this very package. It is asked by name: built files lie elsewhere than sources. */
export function packageVersion(): string {
  return (require('loadout/package.json') as { readonly version: string }).version
}
