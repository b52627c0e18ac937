import { revocableTools } from '../../engine/decide/decide-consent.ts'
import type { StoredApproval } from '../../engine/model/command.ts'
import {
  APPROVAL_SCOPES,
  type ApprovalScope,
  type FormContent,
  type PendingConfirmation,
} from '../../engine/model/consent-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { toolIdentity } from '../../engine/standing/remembered-approval.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import { checkOptions, checkedText } from '../../kernel/check-options.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ValueIssue } from '../../schema/interpreter/schema-source.ts'
import { answerIssues } from './handlers/ask-client.ts'
import type { DeskParts } from './desk-parts.ts'
import type { CallWatch } from './request/call-request.ts'
import {
  COMMAND_OPTIONS,
  type CommandOptions,
  emitWarning,
  type Outcome,
} from '../commands/outcome.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import type { Clock } from '../log/clock.ts'

const THE_STORE = 'The approval store'

/** Options of an approval. */
export interface ApproveOptions extends CommandOptions {
  /** The scope of the approval; `call`, for this call alone, when absent. */
  readonly remember?: ApprovalScope
  /** The fields of a form, for a question of a running call. */
  readonly content?: FormContent
}

/** Records an approval, and stores one that holds beyond the session. */
export async function approve(
  { dispatcher, store, approvals, limits, closing }: DeskParts,
  id: string,
  options: ApproveOptions = {},
): Promise<Outcome> {
  checkedText(id, 'confirmation')
  checkOptions(options, {
    ...COMMAND_OPTIONS,
    remember: APPROVAL_SCOPES,
    content: true,
  })
  const { by = 'host', remember = 'call' } = options
  const asked = store.getState().state.confirmations.find((one) => one.id === id)
  const form = asked?.elicitation
  const content = form !== undefined && 'schema' in form ? (options.content ?? {}) : undefined
  const [issue] = form && content ? await answerIssues(form, content) : []
  if (issue !== undefined) throw answerInvalid(id, issue)
  if (remember === 'digest' && approvals === undefined) throw approvalsNotKept()
  const given = { ...(remember !== 'call' && { remember }), ...(content && { content }) }
  const outcome = await dispatcher.dispatch({ type: 'confirmation.approve', id, ...given }, { by })
  if (!outcome.ok || remember !== 'digest' || approvals === undefined) return outcome
  const { state } = store.getState()
  const kept = state.approvals.find(({ seq }) => seq === outcome.seq)
  // Revoked in the meantime: the store must not get it.
  if (kept === undefined) return outcome
  const { source, owner, tool, hash } = kept
  try {
    const principal = state.opening?.principal ?? null
    const approved = { principal, source, owner, tool, hash }
    const put = () => approvals.put(approved)
    await withTimeLimit(THE_STORE, limits.timeoutMs, put, closing.signal)
  } catch (problem) {
    throw approvalNotKept(tool, problem)
  }
  return outcome
}

/** The effect of a person's yes. */
interface PersonalApproval {
  readonly isApproved: boolean
  /** The reason that the approval, or its wider scope, does not count; null when there is none. */
  readonly problem: Pick<WorkspaceError, 'code' | 'message' | 'hint'> | null
}

/** Approves a question for a person. If only the wider scope of the approval fails, this one call is still approved. */
export async function approveForPerson(
  workspace: { approve(id: string, options: ApproveOptions): Promise<Outcome> },
  id: string,
  remember: ApprovalScope,
): Promise<PersonalApproval> {
  try {
    const outcome = await workspace.approve(id, { by: 'user', remember })
    if (outcome.ok) return { isApproved: true, problem: null }
    if (outcome.code !== 'approval-too-wide') {
      // Another process may have approved it at the same moment.
      return { isApproved: outcome.facts['consent'] === 'approved', problem: outcome }
    }
    return { isApproved: (await workspace.approve(id, { by: 'user' })).ok, problem: outcome }
  } catch (problem) {
    if (!WorkspaceError.is(problem)) throw problem
    const { code } = problem
    if (code !== 'APPROVALS_NOT_KEPT') return { isApproved: code === 'APPROVAL_NOT_KEPT', problem }
    return { isApproved: (await workspace.approve(id, { by: 'user' })).ok, problem }
  }
}

function answerInvalid(id: string, { path, message }: ValueIssue): WorkspaceError {
  return new WorkspaceError(
    'ANSWER_INVALID',
    `The answer does not match the form of the question: ${path || 'it'} ${message}.`,
    { hint: 'Give the fields of the form as content.', facts: { id, path } },
  )
}

function approvalsNotKept(): WorkspaceError {
  return new WorkspaceError('APPROVALS_NOT_KEPT', 'Approvals are not kept beyond this session.', {
    hint: 'Open the workspace with an approval store (approvals), or remember it for the session.',
  })
}

function approvalNotKept(tool: string, cause: unknown): WorkspaceError {
  return new WorkspaceError('APPROVAL_NOT_KEPT', `The approval of "${tool}" could not be stored.`, {
    hint: 'This call may run; the next one asks again.',
    facts: { tool },
    cause,
  })
}

/**
 * Revokes the approvals of a tool: in the store first, so that this rejects and changes nothing when the
 * store fails. A workspace that cannot record it leaves the store unchanged.
 */
export async function revokeApproval(
  { dispatcher, store, context, approvals, limits, closing }: DeskParts,
  tool: string,
  options: CommandOptions = {},
): Promise<Outcome> {
  checkedText(tool, 'tool')
  checkOptions(options, COMMAND_OPTIONS)
  const { by = 'host' } = options
  const { state } = store.getState()
  const principal = state.opening?.principal ?? null
  let stored = false
  if (approvals !== undefined && dispatcher.accepts()) {
    for (const one of revocableTools(state, context, tool)) {
      const remove = () => approvals.remove({ ...one, principal })
      const had = await withTimeLimit(THE_STORE, limits.timeoutMs, remove, closing.signal)
      stored = had || stored
    }
  }
  return dispatcher.dispatch({ type: 'approval.revoke', tool, stored }, { by })
}

/**
 * Asks the approval store about a tool. A store that fails, or hangs until the time limit of calls, counts as empty.
 * Rejects when the call is given up.
 *
 * @param isRecorded the log gets a warning about a store that fails
 */
export async function askStore(
  row: ToolRow,
  { approvals, store, dispatcher, limits }: DeskParts,
  signal: AbortSignal,
  isRecorded: boolean,
): Promise<StoredApproval> {
  const tool = toolIdentity(row)
  const principal = store.getState().state.opening?.principal ?? null
  const has = () => approvals?.has({ ...tool, principal, hash: row.claim.hash }) ?? false
  try {
    return { ...tool, has: await withTimeLimit(THE_STORE, limits.timeoutMs, has, signal) }
  } catch (problem) {
    if (signal.aborted) throw problem
    const warning = {
      type: 'warning.give' as const,
      code: 'approvals-unreadable',
      subject: row.claim.name,
      message: `The approval store could not be read: ${thrownMessage(problem)}`,
      hint: 'A person is asked as if nothing had been approved before.',
    }
    if (isRecorded) await dispatcher.dispatch(warning, { by: 'host' }, { callOf: row.claim.name })
    return { ...tool, has: false }
  }
}

/**
 * Asks the person of a call, until the question expires, and records the answer. Resolves with true when the question
 * has an answer, also one that somebody else gave meanwhile, or with which another call ran. Rejects when the signal is
 * aborted.
 */
export async function askDuringCall(
  ask: NonNullable<CallWatch['approve']>,
  id: string,
  parts: DeskParts,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, inFlight } = parts
  const question = () => store.getState().state.confirmations.find((one) => one.id === id)
  const isOpen = () => (question()?.consent ?? 'pending') === 'pending'
  const answered = new AbortController()
  // A call that ran with the answer has used the question up.
  const isAnswered = () => answered.signal.aborted || !isOpen()
  const stop = store.subscribe(() => {
    if (!isOpen()) answered.abort()
  })
  try {
    return await inFlight.askInTurn(id, async () => {
      const asked = question()
      if (asked === undefined) return true
      const until = AbortSignal.any([signal, answered.signal])
      if (isOpen()) await recordAnswer(ask, asked, parts, until)
      return isAnswered()
    })
  } catch (problem) {
    if (signal.aborted) throw problem
    const isLate = WorkspaceError.is(problem) && problem.code === 'TIME_LIMIT'
    if (!isLate && !answered.signal.aborted) emitWarning(problem)
    return isAnswered()
  } finally {
    stop()
  }
}

async function recordAnswer(
  ask: NonNullable<CallWatch['approve']>,
  asked: PendingConfirmation,
  parts: DeskParts,
  until: AbortSignal,
): Promise<void> {
  const { id, expiresAt } = asked
  const limitMs = Math.max(0, expiresAt - parts.clock.now())
  const wait = (signal: AbortSignal) => ask(asked, { signal })
  const answer = await withTimeLimit('The answer', limitMs, wait, until)
  if (answer === undefined) return
  if (answer === false) {
    await parts.dispatcher.dispatch({ type: 'confirmation.deny', id }, { by: 'user' })
    return
  }
  const session = {
    approve: (asked: string, options: ApproveOptions) => approve(parts, asked, options),
  }
  const { problem } = await approveForPerson(session, id, answer === true ? 'call' : answer)
  if (WorkspaceError.is(problem)) emitWarning(problem)
}

/** Shared, since most sessions have no pending confirmation. */
const NONE: ReadonlyMap<string, number> = new Map()

/**
 * Measures by the monotonic clock when each pending confirmation expires. A person may set the wall clock
 * back, so that clock alone cannot prove that a confirmation is still valid. It can prove that one has
 * expired (`isExpired`).
 */
export class ConfirmationTimes {
  readonly #clock: Clock
  #noted: readonly PendingConfirmation[] = []
  #deadlines: ReadonlyMap<string, number> = NONE

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes the confirmations of a new state. Call it for every state, as soon as there is one. */
  note({ confirmations, latestAt }: Pick<WorkspaceState, 'confirmations' | 'latestAt'>): void {
    if (confirmations === this.#noted) return
    this.#noted = confirmations
    if (confirmations.length === 0) {
      this.#deadlines = NONE
      return
    }
    const known = this.#deadlines
    this.#deadlines = new Map(
      confirmations.map((one) => [one.id, known.get(one.id) ?? this.#deadlineOf(one, latestAt)]),
    )
  }

  /** Returns the ids of the confirmations that have expired. */
  outlived(): readonly string[] {
    if (this.#deadlines.size === 0) return []
    const now = this.#clock.monotonic()
    return [...this.#deadlines].flatMap(([id, deadline]) => (now >= deadline ? [id] : []))
  }

  /** A confirmation that had expired at the latest entry stays expired if the wall clock is set back. */
  #deadlineOf({ expiresAt }: PendingConfirmation, latestAt: number): number {
    return this.#clock.monotonic() + expiresAt - Math.max(this.#clock.now(), latestAt)
  }
}
