import type { Outcome } from '../../workspace/commands/outcome.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { catalogKeeping } from './catalog-keeping.ts'
import { reopen } from './reopen.ts'
import { changesOf, keptNames, type TakeParts } from './take-changes.ts'

/** The session to go on with, and what accepting came to. */
export interface Accepted {
  readonly workspace: VirtualWorkspace
  readonly outcome: Outcome
}

/**
 * Take the change of an equipped skill that waits: its new definition, or put it away when it was
 * removed. When the session refuses, all is as before.
 */
export async function acceptFromDisk(parts: TakeParts, skill: string): Promise<Accepted> {
  const { workspace, disk, options, abandoned } = parts
  const { catalog } = workspace
  const kept = keptNames(changesOf(workspace, disk)).filter((name) => name !== skill)
  const next = await catalogKeeping(disk, catalog, kept)
  if (!disk.skills.has(skill)) {
    const outcome = await workspace.deactivateSkill(skill, { by: 'user' })
    if (!outcome.ok) return { workspace, outcome }
    return { workspace: await reopen(workspace, next, options, abandoned), outcome }
  }
  const opened = await reopen(workspace, next, options, abandoned)
  const outcome = await opened.acceptSkill(skill, { by: 'user' })
  if (outcome.ok) return { workspace: opened, outcome }
  return { workspace: await reopen(opened, catalog, options, abandoned), outcome }
}
