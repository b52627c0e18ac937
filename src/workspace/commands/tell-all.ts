import { tell } from './tell.ts'
import type { WorkspaceListener } from './workspace-listener.ts'

/** Tells every listener there is by then; none can harm another. */
export function tellAll(listeners: ReadonlySet<WorkspaceListener>): WorkspaceListener {
  return (outcome, entries, origin) => {
    for (const listener of listeners) void tell(() => listener(outcome, entries, origin))
  }
}
