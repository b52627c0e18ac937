import { isUsableName, toolName } from '../../../entries/kit.ts'
import type { WritableManifest } from '../format/carnet-manifest.ts'
import { carnetName, carnetToolName } from '../format/definitions-of-manifest.ts'
import { normaliseName } from '../../../skills/find-skill.ts'

/** The ids of a manifest's skills, agents and tools. */
export interface ManifestNames {
  readonly skills: UsableNames
  readonly agents: UsableNames
  readonly tools: UsableNames
}

export function manifestNames({ skills, agents, tools }: WritableManifest): ManifestNames {
  const definitions = (entries: Readonly<Record<string, unknown>>) =>
    new UsableNames(
      (name) => (isUsableName(carnetName(name)) ? carnetName(name) : undefined),
      (id) => Object.hasOwn(entries, id),
    )
  return {
    skills: definitions(skills),
    agents: definitions(agents),
    tools: new UsableNames(
      (name) =>
        toolName.safeParse(carnetToolName(name)).success ? carnetToolName(name) : undefined,
      (id) => Object.hasOwn(tools, id),
    ),
  }
}

/** Names that are valid everywhere. Most are, and need no further check. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/**
 * The ids in a catalog for the names of a manifest. A manifest allows any text as a name; a name
 * that cannot be an id gets another one that no name of the manifest has.
 */
class UsableNames {
  readonly #toUsable: (name: string) => string | undefined
  readonly #isTaken: (id: string) => boolean
  readonly #ids = new Map<string, string>()
  readonly #names = new Map<string, string>()

  constructor(
    toUsable: (name: string) => string | undefined,
    /** Returns true when an id is itself a name of the manifest. */
    isTaken: (id: string) => boolean,
  ) {
    this.#toUsable = toUsable
    this.#isTaken = isTaken
  }

  idOf(name: string): string {
    if (PLAIN.test(name)) return name
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    const usable = this.#toUsable(name)
    const id = usable === name ? name : this.#free(usable ?? 'unnamed')
    this.#ids.set(name, id)
    this.#names.set(id, name)
    return id
  }

  /** Returns the name for which an id was made. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id
  }

  #free(wanted: string): string {
    const isFree = (id: string) => !this.#names.has(id) && !this.#isTaken(id)
    if (isFree(wanted)) return wanted
    for (let count = 2; ; count += 1) {
      const id = `${wanted.slice(0, 56)}-${count}`
      if (isFree(id)) return id
    }
  }
}

/**
 * Returns a function that finds the skill a model or a person means: by its key, or by a key or
 * name that differs only in case, spacing or punctuation. An ambiguous name finds nothing.
 */
export function skillKeys({ skills }: WritableManifest): (name: string) => string | undefined {
  let index: Map<string, string | null> | undefined
  return (name) => {
    if (Object.hasOwn(skills, name)) return name
    index ??= indexOf(skills)
    return index.get(normaliseName(name)) ?? undefined
  }
}

function indexOf(skills: WritableManifest['skills']): Map<string, string | null> {
  const index = new Map<string, string | null>()
  for (const [key, { name }] of Object.entries(skills)) {
    for (const form of new Set([normaliseName(key), normaliseName(name)])) {
      index.set(form, index.has(form) ? null : key)
    }
  }
  return index
}
