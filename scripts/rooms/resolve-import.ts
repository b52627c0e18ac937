import { posix } from 'node:path'

/** The project file a relative import names, or undefined for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.') && !specifier.startsWith('/')) return undefined
  return posix.normalize(posix.join(posix.dirname(from), specifier))
}
