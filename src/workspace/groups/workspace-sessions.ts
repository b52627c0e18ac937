import type { Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceListener } from '../commands/outcome.ts'
import { type ForkedSession, forkSession } from '../log/fork-session.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { type ChildOptions, openChild } from '../open/open-child.ts'
import { openParts } from '../open/open-parts.ts'
import type { OpeningNotice } from '../open/opening-notice.ts'
import type { WorkspaceOptions } from '../open/workspace-options.ts'

/** Ways from a session to others: to its children, forks and earlier states, and to what other processes append. */
export interface WorkspaceSessions<Workspace, Look> {
  /**
   * Opens a child session, for a subagent: new, or known to the log as a child of this session. It has a log, a
   * prompt and a price of its own. The rules of this session hold in it, too, now and whenever they change. Its
   * questions are asked here as well (`state.confirmations`), and an answer to them here counts there.
   *
   * `close` of the child ends it. It also ends with the call whose handler opened it. When this session is closed,
   * it is closed, and may be opened again by its id.
   *
   * Rejects as `VirtualWorkspace.open` does, with `SESSION_MISMATCH` for a session that is no child of this one, with
   * `CHILD_OPEN` for one that is open here already, and with `SKILL_UNKNOWN`.
   */
  child(options?: ChildOptions): Promise<Workspace>
  /**
   * Creates a session with the first entries of this one, up to and including `at`; all of them when
   * absent. This session does not change. To go back to an earlier moment, fork at it and open the fork:
   * a log is never cut. Rejects as `forkSession` does.
   */
  fork(at?: number, session?: string): Promise<ForkedSession>
  /** Opens this session read-only, in its state after the entry `at`. Rejects with `ENTRY_UNKNOWN`. */
  look(at: number): Promise<Look>
  /**
   * Follows the session: entries that other processes append are applied at once, and listeners are
   * notified once per append. Runs no hooks. A read-only workspace can follow, too.
   *
   * Resolves when the workspace has caught up, with the function that stops following; `close` stops it,
   * too. Rejects with `LOG_NOT_FOLLOWED` when the log cannot report changes.
   */
  follow(): Promise<() => Promise<void>>
}

export function createSessions<Workspace extends object, Services>(
  given: WorkspaceOptions<Services>,
  here: SessionParts,
  createWorkspace: (
    options: WorkspaceOptions<Services>,
    parts: SessionParts,
    notices: readonly OpeningNotice[],
    listeners: Set<WorkspaceListener>,
  ) => Workspace,
): WorkspaceSessions<Workspace, Workspace & { forward(entries: readonly Entry[]): Promise<void> }> {
  const { log, session, counter, clock } = here
  return {
    child: async (child = {}) => {
      const { options, parts, notices, listeners } = await openChild(child, given, here)
      return createWorkspace(options, parts, notices, listeners)
    },
    fork: (at, to) =>
      forkSession(log, {
        from: session,
        clock,
        ...(at !== undefined && { at }),
        ...(to !== undefined && { to }),
      }),
    look: async (at) => {
      const options = { ...given, log, session, tokenCounter: counter, at, readOnly: true }
      const parts = await openParts(options, () => undefined)
      const look = createWorkspace(options, parts, [], new Set())
      return Object.assign(look, { forward: parts.dispatcher.advance.bind(parts.dispatcher) })
    },
    follow: () => here.following.start(),
  }
}
