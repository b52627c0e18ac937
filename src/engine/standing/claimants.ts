import type { OpenSource } from '../model/source-state.ts'

/** Sources that are looked through at once. */
const BLOCK = 64

interface Block {
  readonly sources: readonly OpenSource[]
  readonly names: ReadonlySet<string>
}

/** By the first source of each. What is open changes at its end, mostly, so blocks before it stay. */
const blocks = new WeakMap<OpenSource, Block>()

/**
 * The open sources that claim one of some names, in their order. Each opening of a source asks this of
 * all that are open before it: a thousand initial skills ask it half a million times, so whole blocks
 * of sources are passed over by the names in them.
 */
export function claimantsOf(
  open: readonly OpenSource[],
  names: ReadonlySet<string>,
): readonly OpenSource[] {
  const found: OpenSource[] = []
  const claimsAny = ({ claims }: OpenSource) => claims.some(({ name }) => names.has(name))
  for (let from = 0; from < open.length; from += BLOCK) {
    const isWhole = from + BLOCK <= open.length
    if (isWhole && !meets(blockAt(open, from).names, names)) continue
    for (const source of open.slice(from, from + BLOCK)) if (claimsAny(source)) found.push(source)
  }
  return found
}

function blockAt(open: readonly OpenSource[], from: number): Block {
  const first = open[from] as OpenSource
  const known = blocks.get(first)
  if (known?.sources.every((source, index) => source === open[from + index]) === true) return known
  const sources = open.slice(from, from + BLOCK)
  const names = new Set(sources.flatMap(({ claims }) => claims.map(({ name }) => name)))
  const block = { sources, names }
  blocks.set(first, block)
  return block
}

function meets(known: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  for (const name of names) if (known.has(name)) return true
  return false
}
