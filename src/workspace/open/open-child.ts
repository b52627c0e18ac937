import type { SessionJournal } from '../commands/session-journal.ts'
import type { ParentLink } from '../../engine/model/child-event.ts'
import { addSpending } from '../../engine/model/step-cost.ts'
import { checkOptions, checkedText, type OptionTable } from '../../kernel/check-options.ts'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type Agent, agentDefinition, defineAgent } from '../../skills/definition/define-agent.ts'
import { workspaceClosed } from '../commands/dispatcher.ts'
import { emitWarning, notifyAll, type WorkspaceListener } from '../commands/outcome.ts'
import { ParentSession } from '../commands/parent-session.ts'
import { untilLimit } from '../commands/with-time-limit.ts'
import { readFromSnapshot } from '../log/read-from-snapshot.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { beginSession } from './begin-session.ts'
import { openParts } from './open-parts.ts'
import type { OpeningNotice } from './opening-notice.ts'
import type { PolicyOptions, WorkspaceOptions } from './workspace-options.ts'

/** Options of a child session. What is not given is as in the parent. */
export interface ChildOptions {
  /** The profile of the child, or its name in the catalog. */
  readonly agent?: string | Agent
  /** The skills that the child may activate, in place of those of its agent. */
  readonly skills?: readonly string[]
  /** Patterns of the tools that the child sees, in place of those of its agent. */
  readonly tools?: readonly string[]
  /** The id of the child; a random one when absent. A child that the log has is opened again. */
  readonly session?: string
  /** Its own mode and rules. Those of the parent hold as well, whatever these are. */
  readonly policy?: Omit<PolicyOptions, 'onResume'>
}

const CHILD_OPTIONS: OptionTable = {
  agent: true,
  skills: true,
  tools: true,
  session: 'text',
  policy: true,
}

/** A child session before its workspace is made. */
interface OpenedChild<Services> {
  readonly options: WorkspaceOptions<Services>
  readonly parts: SessionParts
  readonly notices: readonly OpeningNotice[]
  readonly listeners: Set<WorkspaceListener>
}

/**
 * Opens a child session, new or known to the log. The parent records it first, so that no child is without a
 * parent; then the child opens with the rules of the parent.
 */
export async function openChild<Services>(
  given: ChildOptions,
  options: WorkspaceOptions<Services>,
  parent: SessionParts,
): Promise<OpenedChild<Services>> {
  checkOptions(given, CHILD_OPTIONS)
  const { session = crypto.randomUUID() } = given
  checkedText(session, 'session')
  const { children } = parent
  if (session === parent.session || !children.reserve(session)) {
    const message = `The child session "${session}" is open here already.`
    throw new WorkspaceError('CHILD_OPEN', message, {
      hint: 'Use the workspace that is open, or choose another id.',
      facts: { session },
    })
  }
  try {
    return await openReserved(session, given, options, parent)
  } finally {
    children.release(session)
  }
}

async function openReserved<Services>(
  session: string,
  given: ChildOptions,
  options: WorkspaceOptions<Services>,
  parent: SessionParts,
): Promise<OpenedChild<Services>> {
  const { log, store, dispatcher, children, inFlight } = parent
  const agent = childAgent(given, parent)
  const call = inFlight.currentCall()
  const link: ParentLink = { session: parent.session, call }
  const { state } = await readFromSnapshot(log, session)
  checkParent(session, state.opening, link)
  const total = addSpending(state.spent, state.spentByChildren)
  const cause = call === null ? ({ by: 'host' } as const) : ({ by: 'tool', call } as const)
  const name = typeof agent === 'string' ? agent : (agent?.name ?? null)
  const opened = await dispatcher.dispatch(
    { type: 'child.open', child: session, agent: name, call, total },
    cause,
  )
  opened.orThrow()
  const { readOnly: _, follow: __, at: ___, agent: ____, ...inherited } = options
  const { modes } = options.policy ?? {}
  const own: WorkspaceOptions<Services> = {
    ...inherited,
    ...(agent !== null && { agent }),
    catalog: parent.current.host,
    session,
    log,
    tokenCounter: parent.counter,
    services: (inFlight.servicesOf(inFlight.currentCalls()) ?? parent).services as Services,
    policy: { ...(modes && { modes }), ...given.policy },
  }
  const listeners = new Set<WorkspaceListener>()
  const known = new ParentSession(log, parent.session, session, store)
  try {
    const parts = await openParts(own, notifyAll(listeners), {
      link,
      known,
      children,
      context: parent.context,
      registered: store.getState().state.registered,
      skills: parent.current.skills,
    })
    const notices = await beginOrClose(own, parts)
    children.add({ parts, call, close: (ends) => closeSession(parts, ends) })
    // Closed meanwhile, so that nobody would close the child.
    if (parent.closing.signal.aborted) {
      await closeSession(parts, false)
      throw workspaceClosed()
    }
    return { options: own, parts, notices, listeners }
  } catch (error) {
    const end = { type: 'child.end', child: session, total: null } as const
    if (!parent.closing.signal.aborted) await dispatcher.dispatch(end, cause)
    throw error
  }
}

/** Returns the agent of a child: the given one, else that of the parent, with the given skills and tools. */
function childAgent(
  { agent: given, skills, tools }: ChildOptions,
  { context: { agent: own, catalog } }: SessionJournal,
): string | Agent | null {
  for (const name of skills ?? []) {
    if (catalog.skills.has(name)) continue
    const near = nearestNames(name, catalog.skills.keys())
    throw new WorkspaceError('SKILL_UNKNOWN', `No skill is named "${name}".`, {
      hint: didYouMean(near, 'Give the names of skills of the parent.'),
      facts: { skill: name },
    })
  }
  const agent = given ?? own
  if (skills === undefined && tools === undefined) return agent
  const known = typeof agent === 'string' ? catalog.agents.get(agent) : agent
  if (typeof agent === 'string' && known === undefined) return agent
  return defineAgent({
    ...(known ? agentDefinition(known) : { name: 'child' }),
    ...(skills && { skills }),
    ...(tools && { tools }),
  })
}

/** Refuses a session that is not a child of this parent. */
function checkParent(
  session: string,
  opening: { readonly parent: ParentLink | null } | null,
  { session: parent }: ParentLink,
): void {
  if (opening === null || opening.parent?.session === parent) return
  throw new WorkspaceError(
    'SESSION_MISMATCH',
    `Session "${session}" is not a child of "${parent}".`,
    {
      hint: 'Open it with VirtualWorkspace.open, or choose another id.',
      facts: { session, parent: opening.parent?.session ?? null },
    },
  )
}

/** Begins a session, and closes it when that fails: no follower and no connection to a server is left behind. */
export async function beginOrClose(
  options: WorkspaceOptions,
  parts: SessionParts,
): Promise<readonly OpeningNotice[]> {
  try {
    // A log that cannot be followed is not written.
    if (options.follow === true) await parts.following.start()
    return await beginSession(options, parts)
  } catch (error) {
    await closeSession(parts, false).catch(emitWarning)
    throw error
  }
}

/** Milliseconds that closing a session waits for its log, and for connections to servers. */
const CLOSE_LIMIT_MS = 30_000

/**
 * Aborts running calls and hooks, lets queued commands end, and accepts no more. Throws `TIME_LIMIT` when the log
 * does not answer.
 *
 * @param ends true to record the end of a child session, and of its own children, in its parent
 */
export async function closeSession(parts: SessionParts, ends: boolean): Promise<void> {
  const { closing, children, dispatcher, parent, session } = parts
  children.leave(ends && parent !== null)
  closing.abort(workspaceClosed())
  try {
    await untilLimit(endParts(parts, ends), CLOSE_LIMIT_MS, () => logHangs(session))
  } catch (error) {
    // It accepts no more commands, also when it was not its turn to close.
    void dispatcher.close()
    throw error
  }
}

async function endParts(parts: SessionParts, ends: boolean): Promise<void> {
  const { inFlight, children, following, dispatcher, servers, parent, session } = parts
  await inFlight.close()
  await servers.close()
  await children.close(ends && parent !== null)
  await following.close()
  await dispatcher.close()
  await parent?.children?.remove(session, ends ? children.total() : null)
}

function logHangs(session: string): WorkspaceError {
  const seconds = CLOSE_LIMIT_MS / 1_000
  return new WorkspaceError(
    'TIME_LIMIT',
    `Session "${session}" was closed, but its log did not answer within ${seconds} seconds.`,
    {
      facts: { session, timeoutMs: CLOSE_LIMIT_MS },
      hint: 'What was not acknowledged may be missing in the log. Find out why the log hangs.',
    },
  )
}
