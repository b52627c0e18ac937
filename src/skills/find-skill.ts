import { nearestNames } from '../kernel/nearest-names.ts'
import type { Skill } from './definition/skill.ts'

/** Normalised ids, display names and aliases, each with the ids it may mean. */
type NameIndex = ReadonlyMap<string, readonly string[]>

const indexes = new WeakMap<ReadonlyMap<string, Skill>, NameIndex>()

/**
 * Finds the skill that a model or a person names: by its exact id, or else by an id, display name or
 * alias that differs only in case, spacing, punctuation or Unicode form. A prefix such as `plugin:` or `skill:` is
 * left out when the name with it is not known.
 *
 * Neither misspellings nor names of several skills are guessed: the result has at most three ids in
 * `nearest`. The map is indexed once, so it must not change afterwards.
 */
export function findSkill(
  query: string,
  skills: ReadonlyMap<string, Skill>,
):
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly nearest: readonly string[] } {
  if (skills.has(query)) return { ok: true, name: query }
  const index = indexNames(skills)
  const normalised = normaliseName(query)
  const meant = index.get(normalised)
  const [only] = meant ?? []
  if (meant?.length === 1 && only !== undefined) return { ok: true, name: only }
  const unprefixed = meant === undefined ? withoutPrefix(query, skills, index) : null
  if (unprefixed !== null) return { ok: true, name: unprefixed }
  const near =
    meant ?? nearestNames(normalised, index.keys(), 6).flatMap((key) => index.get(key) ?? [])
  return { ok: false, nearest: [...new Set(near)].slice(0, 3) }
}

/** Returns the skill that `plugin:name` or `skill:name` means, if the part after the last colon names exactly one. */
function withoutPrefix(
  query: string,
  skills: ReadonlyMap<string, Skill>,
  index: NameIndex,
): string | null {
  const rest = query.slice(query.lastIndexOf(':') + 1)
  if (rest === query) return null
  if (skills.has(rest)) return rest
  const [only, second] = index.get(normaliseName(rest)) ?? []
  return second === undefined ? (only ?? null) : null
}

function indexNames(skills: ReadonlyMap<string, Skill>): NameIndex {
  const known = indexes.get(skills)
  if (known !== undefined) return known
  const index = new Map<string, string[]>()
  for (const { name, displayName, aliases } of skills.values()) {
    for (const form of new Set([name, displayName, ...aliases].map(normaliseName))) {
      if (form === '') continue
      const names = index.get(form)
      if (names === undefined) index.set(form, [name])
      else names.push(name)
    }
  }
  indexes.set(skills, index)
  return index
}

const PLAIN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Normalises a name that a model may have changed: composes compatibility characters, folds case, and
 * replaces every run of spaces, `_`, `.` and dashes with one `-`, with none at either end.
 *
 * `Web Research`, `web_research` and `ＷＥＢ－RESEARCH` all become `web-research`.
 */
export function normaliseName(name: string): string {
  if (PLAIN.test(name)) return name
  return name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s_.\p{Pd}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
