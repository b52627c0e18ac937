import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Entry, EventType } from '../../engine/model/event.ts'
import { fold } from '../../engine/evolve/fold.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'

/**
 * For who only looks at a session and follows it: skills that others equip are shown by the definitions
 * they equipped, whatever catalog this process has. The catalog of `surroundings` is that of the
 * moment from now on.
 *
 * Gives what is to be awaited before entries are folded into a state, so that no view sees the new
 * state by the old catalog.
 */
export function movingCatalog(
  surroundings: Surroundings,
  catalogAt: (state: WorkspaceState) => Promise<Catalog>,
): (before: WorkspaceState, entries: readonly Entry[]) => Promise<void> {
  let current = surroundings.catalog
  Object.defineProperty(surroundings, 'catalog', { get: () => current, enumerable: true })
  return async (before, entries) => {
    if (entries.some(isAboutSkill)) current = await catalogAt(fold(entries, before))
  }
}

const ABOUT_SKILLS: ReadonlySet<string> = new Set<EventType>([
  'source.opened',
  'source.accepted',
  'source.closed',
])

function isAboutSkill({ event }: Entry): boolean {
  return ABOUT_SKILLS.has(event.type)
}
