import type { Catalog } from '../../catalog/create/catalog.ts'
import { keepSkills, withSkills } from '../../catalog/create/create-catalog.ts'
import type { DefinitionRegistry } from '../log/definition-registry.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { activeSkills, openSkill, skillHasChanged } from '../../engine/standing/assess-skill.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Skill } from '../../skills/definition/skill.ts'

/** The skills that sessions have in addition to the catalog of their host, by definition. */
export type SessionSkills = Map<ContentHash, Skill>

/** A change of the catalog that is not in the state yet. */
export interface CatalogChange {
  /** A skill that is registered. */
  readonly registers?: Skill
  /** A skill that leaves the session. */
  readonly unregisters?: string
  /** An active skill that does not keep its definition. */
  readonly accepts?: string
}

/**
 * The catalog of an open session: that of the host, with the skills that were registered in the session. A host may
 * give another one; an active skill then keeps the definition that it was activated with until the new one is accepted,
 * or until it is deactivated.
 */
export class CurrentCatalog {
  /** The catalog that the host gave last. */
  host: Catalog
  /** The same, with the skills of the session. */
  given: Catalog
  /** The active skills that keep another definition than the given one. */
  kept: readonly string[] = []
  /** False while nothing but a command of this process can make it outdated. */
  mayBeOutdated = false
  /** The skills of the session that this process has had, with their handlers. */
  readonly skills: SessionSkills
  readonly #context: { catalog: Catalog }
  readonly #definitions: DefinitionRegistry
  #isStale = false

  /** @param context what the engine reads: its catalog has the definitions that count, and the skills of the session */
  constructor(
    context: { catalog: Catalog },
    definitions: DefinitionRegistry,
    host: Catalog,
    skills: SessionSkills,
  ) {
    this.host = host
    this.given = context.catalog
    this.skills = skills
    this.#context = context
    this.#definitions = definitions
  }

  /** Notes that another process has registered or removed skills. */
  noteOthers(): void {
    this.#isStale = this.mayBeOutdated = true
  }

  /**
   * Returns true when a skill keeps its definition although it is no longer active, and when another process has
   * registered skills.
   */
  isOutdated(state: WorkspaceState): boolean {
    if (this.#isStale) return true
    const active = new Set(activeSkills(state))
    return this.kept.some((skill) => !active.has(skill))
  }

  /** Takes a catalog, and keeps the active skills that it has in another definition. */
  async take(
    host: Catalog,
    state: WorkspaceState,
    { registers, unregisters, accepts }: CatalogChange = {},
  ): Promise<void> {
    const hashes = state.registered.flatMap(({ skill, definition }) =>
      skill === unregisters ? [] : skill === registers?.name ? registers.hash : definition,
    )
    if (registers) {
      this.skills.set(registers.hash, registers)
      if (!hashes.includes(registers.hash)) hashes.push(registers.hash)
    }
    const given = await withSkills(
      host,
      await sessionSkills(hashes, this.skills, this.#definitions),
    )
    const isKept = (name: string) => {
      const open = openSkill(state, name)
      // A skill that has changed already is not active by its definition here.
      return open && skillHasChanged(open, given) && !skillHasChanged(open, this.#context.catalog)
    }
    const kept = activeSkills(state).filter((name) => name !== accepts && isKept(name))
    const sent = [
      ...(state.exposed ?? []),
      ...state.conversation.ours.flatMap((one) => (one.kind === 'tools' ? one.added : [])),
    ].flatMap(({ hash }) => this.#definitions.tool(hash) ?? [])
    this.set(await keepSkills(given, this.#context.catalog, kept))
    // Requests carry what was sent, also where the catalog has another definition now.
    for (const tool of sent) this.#definitions.add(tool)
    this.host = host
    this.given = given
    this.kept = kept
    this.#isStale = false
    this.mayBeOutdated = kept.length > 0
  }

  /** Returns a function that makes count again what counts now. */
  remember(): () => void {
    const { host, given, kept, mayBeOutdated } = this
    const { catalog } = this.#context
    return () => {
      this.set(catalog)
      Object.assign(this, { host, given, kept, mayBeOutdated })
    }
  }

  /** Replaces the definitions that count, with those of the same session at another moment. */
  set(catalog: Catalog): void {
    this.#context.catalog = catalog
    this.#definitions.setCatalog(catalog)
  }
}

/**
 * Returns the skills of a session: those that this process has, and the others from the log. A skill whose text the log
 * has without its secrets is left out: it is not the one that was registered.
 */
export async function sessionSkills(
  hashes: readonly ContentHash[],
  known: SessionSkills,
  definitions: DefinitionRegistry,
): Promise<readonly Skill[]> {
  const skills: Skill[] = []
  for (const hash of hashes) {
    const skill = known.get(hash) ?? (await definitions.restoreSkill(hash))
    if (skill === undefined) continue
    known.set(hash, skill)
    skills.push(skill)
  }
  return skills
}
