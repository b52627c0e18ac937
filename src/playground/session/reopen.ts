import type { Catalog } from '../../catalog/create/catalog.ts'
import type { EventLog } from '../../workspace/log/ports.ts'
import { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { WorkspaceOptions } from '../../workspace/open/workspace-options.ts'

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
export async function reopen(
  workspace: VirtualWorkspace,
  catalog: Catalog,
  options: SessionOptions,
  abandoned: ReadonlySet<string>,
): Promise<VirtualWorkspace> {
  const { session, agent } = workspace
  for (;;) {
    await callsEnded(workspace, abandoned)
    const next = await VirtualWorkspace.open({
      ...options,
      catalog,
      session,
      ...(agent !== null && { agent }),
    })
    if (!isCalling(workspace, abandoned)) await workspace.close()
    // What came in between is in the log, but not in the workspace that was opened before it.
    const isWhole = workspace.state.seq <= next.state.seq
    if (isWhole && !isCalling(workspace, abandoned)) return next
    await next.close()
  }
}

function isCalling({ state }: VirtualWorkspace, abandoned: ReadonlySet<string>): boolean {
  return state.calls.some(({ call }) => !abandoned.has(call))
}

/** Resolves when a workspace runs no call; those that were abandoned are none. */
export async function callsEnded(
  workspace: VirtualWorkspace,
  abandoned: ReadonlySet<string>,
): Promise<void> {
  if (!isCalling(workspace, abandoned)) return
  await new Promise<void>((resolve) => {
    const end = workspace.store.subscribe(() => {
      if (isCalling(workspace, abandoned)) return
      end()
      resolve()
    })
  })
}
