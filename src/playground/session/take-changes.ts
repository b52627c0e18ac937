import type { Catalog } from '../../catalog/create/catalog.ts'
import { activeSkills } from '../../engine/standing/skill-standing.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { catalogKeeping } from './catalog-keeping.ts'
import { diffSkills } from './diff-skills.ts'
import { reopen, type SessionOptions } from './reopen.ts'
import { sortChanges, type SortedChanges } from './sort-changes.ts'

/** A session, and what stands on disk beside it. */
export interface TakeParts {
  readonly workspace: VirtualWorkspace
  /** The catalog as it was read last. */
  readonly disk: Catalog
  readonly options: SessionOptions
  /** Calls that no process runs any more, by id. */
  readonly abandoned: ReadonlySet<string>
}

/** The session to go on with, and what became of the changes. */
export interface Taken extends SortedChanges {
  readonly workspace: VirtualWorkspace
}

/**
 * Go on with what stands on disk, but for what is equipped or broken: that stays as it was, to the
 * byte. Nothing is opened anew when nothing differs.
 */
export async function takeChanges(parts: TakeParts): Promise<Taken> {
  const { workspace, disk, options, abandoned } = parts
  const sorted = changesOf(workspace, disk)
  const next = await catalogKeeping(disk, workspace.catalog, keptNames(sorted))
  if (isSame(workspace.catalog, next)) return { workspace, ...sorted }
  return { workspace: await reopen(workspace, next, options, abandoned), ...sorted }
}

/** How the skills on disk differ from those of a session, by what becomes of them. */
export function changesOf({ catalog, state }: VirtualWorkspace, disk: Catalog): SortedChanges {
  return sortChanges(diffSkills(catalog, disk), activeSkills(state))
}

/** The skills that stay as they were. */
export function keptNames({ waiting }: SortedChanges): readonly string[] {
  return waiting.map(({ skill }) => skill)
}

/** Whether two catalogs hold the same definitions, handlers and findings. */
function isSame(before: Catalog, after: Catalog): boolean {
  return (
    before.hash === after.hash &&
    JSON.stringify(before.diagnostics) === JSON.stringify(after.diagnostics) &&
    [...after.toolsByHash].every(([hash, { run }]) => before.toolsByHash.get(hash)?.run === run)
  )
}
