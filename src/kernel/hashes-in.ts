import type { ContentHash } from './content-hash.ts'

/** Everything in a JSON value that looks like a content hash. */
export function hashesIn(value: unknown): ReadonlySet<ContentHash> {
  const found = JSON.stringify(value).match(/sha256:[0-9a-f]{64}/g) as ContentHash[] | null
  return new Set(found)
}
