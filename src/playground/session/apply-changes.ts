import { bringersOf, type Catalog, freezeMap } from '../../catalog/create/catalog.ts'
import { withSkills } from '../../catalog/create/create-catalog.ts'
import { activeSkills } from '../../engine/standing/assess-skill.ts'
import { diffSkills, sortChanges, type SortedChanges } from './diff-skills.ts'
import type { Outcome } from '../../workspace/commands/outcome.ts'
import type { EventLog } from '../../workspace/log/event-log.ts'
import type { WorkspaceOptions } from '../../workspace/open/workspace-options.ts'
import { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** A session, and what stands on disk beside it. */
interface DiskSession {
  readonly workspace: VirtualWorkspace
  /** The catalog as it was read last. */
  readonly disk: Catalog
  readonly options: SessionOptions
  /** Calls that no process runs any more, by id. */
  readonly abandoned: ReadonlySet<string>
}

/** The session to go on with, and what became of the changes. */
interface AppliedChanges extends SortedChanges {
  readonly workspace: VirtualWorkspace
}

/**
 * Go on with what stands on disk, but for what is equipped or broken: that stays as it was, to the
 * byte. Nothing is opened anew when nothing differs.
 */
export async function applyChanges(parts: DiskSession): Promise<AppliedChanges> {
  const { workspace, disk, options, abandoned } = parts
  const sorted = changesOnDisk(workspace, disk)
  const next = await keepSkills(disk, workspace.catalog, waitingNames(sorted))
  if (isSame(workspace.catalog, next)) return { workspace, ...sorted }
  return { workspace: await reopen(workspace, next, options, abandoned), ...sorted }
}

/** How the skills on disk differ from those of a session, by what becomes of them. */
export function changesOnDisk({ catalog, state }: VirtualWorkspace, disk: Catalog): SortedChanges {
  return sortChanges(diffSkills(catalog, disk), activeSkills(state))
}

/** The skills that stay as they were. */
function waitingNames({ waiting }: SortedChanges): readonly string[] {
  return waiting.map(({ skill }) => skill)
}

/** Whether two catalogs hold the same definitions, handlers and findings. */
function isSame(before: Catalog, after: Catalog): boolean {
  return (
    before.hash === after.hash &&
    JSON.stringify(before.diagnostics) === JSON.stringify(after.diagnostics) &&
    [...after.toolsByHash].every(
      ([hash, { execute }]) => before.toolsByHash.get(hash)?.execute === execute,
    )
  )
}

/** The session to go on with, and what accepting came to. */
interface AcceptedChange {
  readonly workspace: VirtualWorkspace
  readonly outcome: Outcome
}

/**
 * Take the change of an equipped skill that waits: its new definition, or put it away when it was
 * removed. When the session refuses, all is as before.
 */
export async function acceptFromDisk(parts: DiskSession, skill: string): Promise<AcceptedChange> {
  const { workspace, disk, options, abandoned } = parts
  const { catalog } = workspace
  const kept = waitingNames(changesOnDisk(workspace, disk)).filter((name) => name !== skill)
  const next = await keepSkills(disk, catalog, kept)
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

/**
 * The catalog `after`, with some skills as they were in `before`: their definitions and the very
 * tools they brought, shared and inherited ones included, with their handlers.
 */
export async function keepSkills(
  after: Catalog,
  before: Catalog,
  names: readonly string[],
): Promise<Catalog> {
  const skills = names.flatMap((name) => before.skills.get(name) ?? [])
  if (skills.length === 0) return after
  const catalog = await withSkills(after, skills)
  const kept = new Map(skills.map(({ name }) => [name, before.skillTools.get(name) ?? []]))
  const skillTools = new Map([...catalog.skillTools, ...kept])
  const tools = [...kept.values()].flat().map(({ tool }) => [tool.hash, tool] as const)
  return Object.freeze<Catalog>({
    ...catalog,
    skillTools: freezeMap(skillTools),
    bringers: freezeMap(bringersOf(skillTools)),
    toolsByHash: freezeMap(new Map([...catalog.toolsByHash, ...tools])),
  })
}

/** How the session of a screen was opened: on a log that can be opened again. */
export type SessionOptions = Omit<
  WorkspaceOptions,
  'catalog' | 'agent' | 'session' | 'at' | 'readOnly'
> & {
  readonly log: EventLog
}

/**
 * Go on with a session on another catalog, once none of its calls is running. The workspace given
 * is closed then; while the other one cannot be opened it stays as it is. The agent's profile is
 * that of the session, whatever the catalog says.
 *
 * @param abandoned calls that no process runs any more, by id: nobody waits for them
 */
async function reopen(
  workspace: VirtualWorkspace,
  catalog: Catalog,
  options: SessionOptions,
  abandoned: ReadonlySet<string>,
): Promise<VirtualWorkspace> {
  const { session, agent } = workspace
  for (;;) {
    await waitForCalls(workspace, abandoned)
    const next = await VirtualWorkspace.open({
      ...options,
      catalog,
      session,
      ...(agent !== null && { agent }),
    })
    if (!hasRunningCalls(workspace, abandoned)) await workspace.close()
    // What came in between is in the log, but not in the workspace that was opened before it.
    const isWhole = workspace.state.seq <= next.state.seq
    if (isWhole && !hasRunningCalls(workspace, abandoned)) return next
    await next.close()
  }
}

function hasRunningCalls({ state }: VirtualWorkspace, abandoned: ReadonlySet<string>): boolean {
  return state.calls.some(({ call }) => !abandoned.has(call))
}

/** Resolves when a workspace runs no call; those that were abandoned are none. */
export async function waitForCalls(
  workspace: VirtualWorkspace,
  abandoned: ReadonlySet<string>,
): Promise<void> {
  if (!hasRunningCalls(workspace, abandoned)) return
  await new Promise<void>((resolve) => {
    const end = workspace.store.subscribe(() => {
      if (hasRunningCalls(workspace, abandoned)) return
      end()
      resolve()
    })
  })
}
