import { createHash } from 'node:crypto'

/** A stored skill of a list: a description of over 160 characters by its length and hash. */
export type CompactSkill = readonly [name: string, description: string | null]

/**
 * A stored list. The texts of built-in skills belong to others: `["name", 12]` shows 12 characters, and a number
 * is a run of built-in skills that are not cut.
 */
export type CompactListing = readonly (
  CompactSkill | readonly [name: string, shown: number] | number
)[]

/** A skill of a list, with the whole length of its description if it is built in. */
export interface ComparedSkill {
  readonly name: string
  readonly description: string | null
  /** Undefined for skills of the home and the project. */
  readonly builtIn?: { readonly whole: number; readonly shown: number }
}

export function compactListing(skills: readonly ComparedSkill[]): CompactListing {
  const compact: CompactListing[number][] = []
  for (const { name, description, builtIn } of skills) {
    const last = compact.at(-1)
    if (builtIn === undefined) compact.push([name, compactText(description)])
    else if (builtIn.shown < builtIn.whole) compact.push([name, builtIn.shown])
    else if (typeof last === 'number') compact.splice(-1, 1, last + 1)
    else compact.push(1)
  }
  return compact
}

function compactText(text: string | null): string | null {
  if (text === null || text.length <= 160) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${text.length} characters, ${hash}`
}
