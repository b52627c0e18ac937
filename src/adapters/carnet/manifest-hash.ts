import { createHash } from 'node:crypto'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Manifest } from './manifest.ts'

/**
 * The identity of a checked manifest: over every text a model may read, in the manifest's order.
 * A checked manifest has its members in one order, so the costly canonical writer is not needed.
 */
export function manifestHash({ version, app, ...kinds }: Manifest): ContentHash {
  const hash = createHash('sha256').update(JSON.stringify({ version, app }))
  for (const [kind, entries] of Object.entries(kinds)) {
    hash.update(`\n${kind}:`).update(JSON.stringify(entries))
  }
  return `sha256:${hash.digest('hex')}`
}
