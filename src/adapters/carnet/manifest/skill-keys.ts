import { normaliseName } from '../../../skills/normalise-name.ts'
import type { Manifest } from '../format/manifest.ts'

/**
 * Finds the skill that a model or a person names: by its key, else by key or name when all that
 * differs is case, spacing or punctuation. A name two skills answer to is none.
 */
export function skillKeys({ skills }: Manifest): (name: string) => string | undefined {
  let index: Map<string, string | null> | undefined
  return (name) => {
    if (Object.hasOwn(skills, name)) return name
    index ??= indexOf(skills)
    return index.get(normaliseName(name)) ?? undefined
  }
}

function indexOf(skills: Manifest['skills']): Map<string, string | null> {
  const index = new Map<string, string | null>()
  for (const [key, { name }] of Object.entries(skills)) {
    for (const form of new Set([normaliseName(key), normaliseName(name)])) {
      index.set(form, index.has(form) ? null : key)
    }
  }
  return index
}
