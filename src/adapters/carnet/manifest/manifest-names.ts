import type { WritableManifest } from '../format/carnet-manifest.ts'
import { carnetName, carnetToolName } from '../format/definitions-of-manifest.ts'
import { isUsableName } from '../../../skills/definition/definition-name.ts'
import { normaliseName } from '../../../skills/find-skill.ts'
import { toolName } from '../../../tools/definition/parse-tool-reference.ts'

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

/** Names that are fine everywhere; most are, and are not looked at further. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/**
 * The ids that names of a manifest go by in a catalog, one each. A manifest allows any text as a
 * name; one that cannot be an id is given another that no name of the manifest has.
 */
class UsableNames {
  readonly #toUsable: (name: string) => string | undefined
  readonly #isTaken: (id: string) => boolean
  readonly #ids = new Map<string, string>()
  readonly #names = new Map<string, string>()

  constructor(
    toUsable: (name: string) => string | undefined,
    /** Whether an id is itself a name of the manifest. */
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

  /** The name an id was given for. */
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
 * Finds the skill that a model or a person names: by its key, else by key or name when all that
 * differs is case, spacing or punctuation. A name two skills answer to is none.
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
