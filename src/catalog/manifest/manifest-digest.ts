import { canonicalJson } from '../../kernel/canonical-json.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import { byName } from '../../kernel/by-name.ts'
import type { Manifest } from './manifest.ts'

/**
 * The digest of a manifest's content, its own member left out. Lists are digested item by item, so
 * that the text of a large catalog never stands in memory as one.
 */
export function manifestDigest(content: Omit<Manifest, 'digest'>): ContentHash {
  const members = Object.entries(content)
    .filter(([name]) => name !== 'digest')
    .sort(([a], [b]) => byName(a, b))
    .map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one) => textHash(canonicalJson(one)))
        : textHash(canonicalJson(value)),
    ])
  return textHash(JSON.stringify(members))
}
