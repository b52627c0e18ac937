import { type ContentHash, textHash } from '../../kernel/content-hash.ts'

interface Hashed {
  readonly hash: ContentHash
}

/** The definitions of a catalog, those in use of each kind, in the catalog's order. */
interface HashedKinds {
  readonly skills: Iterable<Hashed>
  readonly toolsets: Iterable<Hashed>
  readonly agents: Iterable<Hashed>
  readonly components: Iterable<ContentHash>
  readonly tools: Iterable<Hashed>
  readonly rules: Iterable<Hashed>
}

/**
 * The identity of a catalog. Names are in the definitions, and so in their hashes; lists of texts
 * have only one JSON, so the costly canonical writer is not needed.
 */
export function catalogHash(kinds: HashedKinds): ContentHash {
  const { skills, toolsets, agents, components, tools, rules } = kinds
  const hashes = (items: Iterable<Hashed>) => Array.from(items, ({ hash }) => hash)
  return textHash(
    JSON.stringify([
      hashes(skills),
      hashes(toolsets),
      hashes(agents),
      [...components],
      hashes(tools),
      hashes(rules),
    ]),
  )
}
