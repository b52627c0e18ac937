import type { WorkspaceApprovals } from './groups/workspace-approvals.ts'
import type { WorkspaceCalls } from './groups/workspace-calls.ts'
import type { WorkspaceFigures } from './groups/workspace-figures.ts'
import type { WorkspaceSessions } from './groups/workspace-sessions.ts'

/** The members of a workspace that moved to a group, under their old names, for one minor version. */
export interface DeprecatedMembers<Workspace, Look> {
  /** @deprecated Use `workspace.figures.tokenizer`. */
  readonly tokenizer: WorkspaceFigures['tokenizer']
  /** @deprecated Use `workspace.figures.metrics`. */
  readonly metrics: WorkspaceFigures['metrics']
  /** @deprecated Use `workspace.figures.resetMetrics`. */
  readonly resetMetrics: WorkspaceFigures['resetMetrics']
  /** @deprecated Use `workspace.figures.health`. */
  readonly health: WorkspaceFigures['health']
  /** @deprecated Use `workspace.figures.ledger`. */
  readonly ledger: WorkspaceFigures['ledger']
  /** @deprecated Use `workspace.sessions.child`. */
  readonly child: WorkspaceSessions<Workspace, Look>['child']
  /** @deprecated Use `workspace.sessions.fork`. */
  readonly fork: WorkspaceSessions<Workspace, Look>['fork']
  /** @deprecated Use `workspace.sessions.look`. */
  readonly look: WorkspaceSessions<Workspace, Look>['look']
  /** @deprecated Use `workspace.sessions.follow`. */
  readonly follow: WorkspaceSessions<Workspace, Look>['follow']
  /** @deprecated Use `workspace.calls.report`. */
  readonly call: WorkspaceCalls['report']
  /** @deprecated Use `workspace.calls.waitFor`. */
  readonly awaitCall: WorkspaceCalls['waitFor']
  /** @deprecated Use `workspace.calls.wrap`. */
  readonly wrapCalls: WorkspaceCalls['wrap']
  /** @deprecated Use `workspace.calls.recordIntent`. */
  readonly recordIntent: WorkspaceCalls['recordIntent']
  /** @deprecated Use `workspace.calls.sentName`. */
  readonly sentName: WorkspaceCalls['sentName']
  /** @deprecated Use `workspace.approvals.asksFirst`. */
  readonly asksFirst: WorkspaceApprovals['asksFirst']
  /** @deprecated Use `workspace.approvals.asksAbout`. */
  readonly asksAbout: WorkspaceApprovals['asksAbout']
  /** @deprecated Use `workspace.approvals.revoke`. */
  readonly revokeApproval: WorkspaceApprovals['revoke']
}

interface Groups {
  readonly figures: WorkspaceFigures
  readonly sessions: WorkspaceSessions<unknown, unknown>
  readonly calls: WorkspaceCalls
  readonly approvals: WorkspaceApprovals
}

type Moved = DeprecatedMembers<unknown, unknown>

const MOVED: { readonly [Name in keyof Moved]: (workspace: Groups) => Moved[Name] } = {
  tokenizer: ({ figures }) => figures.tokenizer,
  metrics: ({ figures }) => figures.metrics,
  resetMetrics: ({ figures }) => figures.resetMetrics,
  health: ({ figures }) => figures.health,
  ledger: ({ figures }) => figures.ledger,
  child: ({ sessions }) => sessions.child,
  fork: ({ sessions }) => sessions.fork,
  look: ({ sessions }) => sessions.look,
  follow: ({ sessions }) => sessions.follow,
  call: ({ calls }) => calls.report,
  awaitCall: ({ calls }) => calls.waitFor,
  wrapCalls: ({ calls }) => calls.wrap,
  recordIntent: ({ calls }) => calls.recordIntent,
  sentName: ({ calls }) => calls.sentName,
  asksFirst: ({ approvals }) => approvals.asksFirst,
  asksAbout: ({ approvals }) => approvals.asksAbout,
  revokeApproval: ({ approvals }) => approvals.revoke,
}

/** Defines the old names on the class of workspaces: each reads the member that it is now. */
export function defineDeprecatedMembers(prototype: object): void {
  for (const [name, read] of Object.entries<(workspace: Groups) => unknown>(MOVED)) {
    Object.defineProperty(prototype, name, {
      get(this: Groups) {
        return read(this)
      },
    })
  }
}
