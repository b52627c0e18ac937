import {
  type Catalog,
  type EventLog,
  type Outcome,
  VirtualWorkspace,
  type WorkspaceOptions,
} from '../../../entries/index.ts'
import { activeSkills } from '../../../entries/kit.ts'
import { keepSkills } from '../../../entries/manifest.ts'
import { isSameCatalog } from '../../project/watch-project.ts'
import { diffSkills, sortChanges, type SortedChanges } from './diff-skills.ts'

/** A session and the skills on disk. */
interface DiskSession {
  readonly workspace: VirtualWorkspace
  /** The catalog that was read last. */
  readonly disk: Catalog
  readonly options: SessionOptions
  /** Ids of calls that no process runs any more. */
  readonly abandoned: ReadonlySet<string>
}

/**
 * Applies the changes on disk, except those of active or broken skills: these keep their definition to
 * the byte. The session is reopened only if something differs.
 */
export async function applyChanges(
  parts: DiskSession,
): Promise<SortedChanges & { readonly workspace: VirtualWorkspace }> {
  const { workspace, disk, options, abandoned } = parts
  const sorted = changesOnDisk(workspace, disk)
  const next = await keepSkills(disk, workspace.catalog, waitingNames(sorted))
  if (isSameCatalog(workspace.catalog, next)) return { workspace, ...sorted }
  return { workspace: await reopen(workspace, next, options, abandoned), ...sorted }
}

/** Compares the skills on disk with those of a session, and sorts the changes. */
export function changesOnDisk({ catalog, state }: VirtualWorkspace, disk: Catalog): SortedChanges {
  return sortChanges(diffSkills(catalog, disk), activeSkills(state))
}

/** The names of the skills that keep their definition. */
function waitingNames({ waiting }: SortedChanges): readonly string[] {
  return waiting.map(({ skill }) => skill)
}

/**
 * Accepts the waiting change of an active skill: its new definition, or its deactivation when it was
 * removed. If the session refuses, nothing changes.
 */
export async function acceptFromDisk(
  parts: DiskSession,
  skill: string,
): Promise<{ readonly workspace: VirtualWorkspace; readonly outcome: Outcome }> {
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

/** The options of the session of a screen: on a log that can be opened again. */
export type SessionOptions = Omit<
  WorkspaceOptions,
  'catalog' | 'agent' | 'session' | 'at' | 'readOnly'
> & {
  readonly log: EventLog
}

/**
 * Reopens a session on another catalog, once none of its calls is running, and closes the old
 * workspace. If the new one cannot be opened, the old one stays open. The agent's profile remains that
 * of the session.
 *
 * @param abandoned ids of calls that no process runs any more: they are not waited for
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
    // Entries appended meanwhile are in the log, but not in a workspace that was opened before them.
    const isComplete = workspace.state.seq <= next.state.seq
    if (isComplete && !hasRunningCalls(workspace, abandoned)) return next
    await next.close()
  }
}

function hasRunningCalls({ state }: VirtualWorkspace, abandoned: ReadonlySet<string>): boolean {
  return state.calls.some(({ call }) => !abandoned.has(call))
}

/** Resolves when a workspace runs no call, except abandoned ones. */
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
