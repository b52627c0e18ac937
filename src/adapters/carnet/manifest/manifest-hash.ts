import { createHash } from 'node:crypto'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Manifest } from '../format/manifest.ts'

/** Entries written as JSON at a time: all at once takes twice as long, one by one too. */
const AT_A_TIME = 64

/**
 * The identity of a checked manifest: over every text a model may read, in the manifest's order.
 * A checked manifest has its members in one order, so the costly canonical writer is not needed.
 */
export function manifestHash({ version, app, ...kinds }: Manifest): ContentHash {
  const hash = createHash('sha256').update(JSON.stringify({ version, app }))
  for (const [kind, given] of Object.entries(kinds)) {
    const entries = Object.entries(given)
    hash.update(`\n${kind} ${entries.length}`)
    for (let from = 0; from < entries.length; from += AT_A_TIME) {
      hash.update(JSON.stringify(entries.slice(from, from + AT_A_TIME)))
    }
  }
  return `sha256:${hash.digest('hex')}`
}
