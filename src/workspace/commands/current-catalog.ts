import type { Catalog } from '../../catalog/create/catalog.ts'
import { keepSkills } from '../../catalog/create/create-catalog.ts'
import type { DefinitionRegistry } from '../log/definition-registry.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { activeSkills, openSkill, skillHasChanged } from '../../engine/standing/assess-skill.ts'

/**
 * The catalog of an open session. A host may give another one; an active skill then keeps the definition
 * that it was activated with until the new one is accepted, or until it is deactivated.
 */
export class CurrentCatalog {
  /** The catalog that the host gave last. */
  given: Catalog
  /** The active skills that keep another definition than the given one. */
  kept: readonly string[] = []
  readonly #context: { catalog: Catalog }
  readonly #definitions: DefinitionRegistry

  /** @param context what the engine reads: its catalog has the definitions that count */
  constructor(context: { catalog: Catalog }, definitions: DefinitionRegistry) {
    this.given = context.catalog
    this.#context = context
    this.#definitions = definitions
  }

  /** Returns true when a skill keeps its definition although it is no longer active. */
  isOutdated(state: WorkspaceState): boolean {
    const active = new Set(activeSkills(state))
    return this.kept.some((skill) => !active.has(skill))
  }

  /**
   * Takes a catalog, and keeps the active skills that it has in another definition.
   *
   * @param accepted a skill that is not kept
   */
  async take(given: Catalog, state: WorkspaceState, accepted?: string): Promise<void> {
    const isKept = (name: string) => {
      const open = openSkill(state, name)
      // A skill that has changed already is not active by its definition here.
      return open && skillHasChanged(open, given) && !skillHasChanged(open, this.#context.catalog)
    }
    const kept = activeSkills(state).filter((name) => name !== accepted && isKept(name))
    this.set(await keepSkills(given, this.#context.catalog, kept))
    this.given = given
    this.kept = kept
  }

  /** Replaces the definitions that count, with those of the same session at another moment. */
  set(catalog: Catalog): void {
    this.#context.catalog = catalog
    this.#definitions.setCatalog(catalog)
  }
}
