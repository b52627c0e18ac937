import { revocableTools } from '../../engine/decide/decide-revocation.ts'
import type { StoredApproval } from '../../engine/model/command.ts'
import {
  allConfirmations,
  APPROVAL_SCOPES,
  type ApprovalScope,
  type ConfirmationState,
  type FormContent,
  type OtherArguments,
  type PendingConfirmation,
} from '../../engine/model/consent-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess } from '../../engine/standing/assess.ts'
import { isConfirmationFor, toolIdentity } from '../../engine/standing/remembered-approval.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import { checkOptions, checkedText } from '../../kernel/check-options.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ValueIssue } from '../../schema/interpreter/schema-source.ts'
import { checkInput, keptArguments } from './request/check-input.ts'
import { answerIssues } from './handlers/ask-client.ts'
import type { DeskParts } from './desk-parts.ts'
import type { CallAnswer, CallWatch } from './request/call-request.ts'
import {
  COMMAND_OPTIONS,
  type CommandOptions,
  emitWarning,
  type Outcome,
} from '../commands/outcome.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { shorten, thrownMessage } from '../../kernel/thrown-message.ts'
import type { Clock } from '../log/clock.ts'

const THE_STORE = 'The approval store'

/** Options of an approval. */
export interface ApproveOptions extends CommandOptions {
  /** The scope of the approval; `call`, for this call alone, when absent. */
  readonly remember?: ApprovalScope
  /** The fields of a form, for a question of a running call. */
  readonly content?: FormContent
  /**
   * Other arguments: the call runs once with these instead of its own, and the model reads them with the result. The
   * schema and the rules judge them again. They are in the log.
   */
  readonly input?: JsonValue
}

/** Options of a denial. */
export interface DenyOptions extends CommandOptions {
  /** The words of the person, for the model. They are in the log. */
  readonly reason?: string
}

/** Records a denial. */
export function deny(
  { dispatcher }: Pick<DeskParts, 'dispatcher'>,
  id: string,
  options: DenyOptions = {},
): Promise<Outcome> {
  checkedText(id, 'confirmation')
  checkOptions(options, { ...COMMAND_OPTIONS, reason: 'text' })
  const { by = 'host', reason = '' } = options
  const words = reason.trim() === '' ? {} : { words: shorten(reason) }
  return dispatcher.dispatch({ type: 'confirmation.deny', id, ...words }, { by })
}

/** Records an approval, and stores one that holds beyond the session. */
export async function approve(
  parts: DeskParts,
  id: string,
  options: ApproveOptions = {},
): Promise<Outcome> {
  const { dispatcher, store, approvals, limits, closing } = parts
  checkedText(id, 'confirmation')
  checkOptions(options, {
    ...COMMAND_OPTIONS,
    remember: APPROVAL_SCOPES,
    content: true,
    input: true,
  })
  const { by = 'host', remember = 'call' } = options
  const asked = allConfirmations(store.getState().state).find((one) => one.id === id)
  const instead =
    asked && options.input !== undefined && (await otherArguments(asked, options, parts))
  const form = asked?.elicitation
  const content = form !== undefined && 'schema' in form ? (options.content ?? {}) : undefined
  const [issue] = form && content ? await answerIssues(form, content) : []
  if (issue !== undefined) throw answerInvalid(id, issue)
  if (remember === 'digest' && approvals === undefined) throw approvalsNotKept()
  const given = {
    ...(remember !== 'call' && { remember }),
    ...(content && { content }),
    ...(instead && { instead }),
  }
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

/**
 * Returns the arguments that a person approves instead of those that were asked about, as the log has them. A tool that
 * is registered here checks them; in another process its schema does so before the call runs.
 */
async function otherArguments(
  { id, tool, elicitation, condition, ...asked }: PendingConfirmation,
  { input }: Pick<ApproveOptions, 'input'>,
  { store, context, limits }: DeskParts,
): Promise<OtherArguments> {
  const invalid = (message: string, hint: string) =>
    new WorkspaceError('ANSWER_INVALID', message, { hint, facts: { id, tool } })
  if (elicitation !== undefined || condition?.about !== undefined) {
    const what = elicitation ? 'a question of a running call' : 'the skills that it loads'
    const hint = elicitation ? 'Give the fields of the form as content.' : 'Deny it with a reason.'
    throw invalid(`A call of "${tool}" takes no other arguments here: this is about ${what}.`, hint)
  }
  const found = assess(store.getState().state, context, tool)
  const row = found.kind === 'registered' && isConfirmationFor(asked, found.row) ? found.row : null
  const made = { input, caller: 'user' } as const
  const { input: checked, given } = await checkInput(row?.tool, made, { context, limits })
  if (!checked.ok) {
    const issues = checked.issues.map(({ path, message }) => `${path || 'it'} ${message}`)
    const message = `The arguments do not match the schema of "${tool}": ${issues.join('; ')}.`
    throw invalid(message, 'Give all arguments of the call as input, not only those that change.')
  }
  const kept = keptArguments(given, { context, limits })
  const instead = { input: given as JsonValue, digest: checked.digest }
  const isHidden = (context.redactor?.value(instead) ?? instead) !== instead
  if (kept.omittedBytes === undefined && !isHidden) return instead
  const why = isHidden ? 'The rules of redaction would hide a part of them' : 'They are too long'
  throw invalid(
    `The log cannot keep these arguments of "${tool}". ${why}.`,
    'Deny the call with a reason, and make it yourself.',
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
  const question = () => allConfirmations(store.getState().state).find((one) => one.id === id)
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
  const given = await withTimeLimit('The answer', limitMs, wait, until)
  if (given === undefined) return
  const answer: CallAnswer = typeof given === 'object' ? given : { approved: given !== false }
  if (!answer.approved) {
    await deny(parts, id, { by: 'user', ...(answer.reason && { reason: answer.reason }) })
    return
  }
  const { input } = answer
  const session = {
    approve: (asked: string, options: ApproveOptions) =>
      approve(parts, asked, { ...options, ...(input !== undefined && { input }) }),
  }
  const remember = typeof given === 'string' ? given : (answer.remember ?? 'call')
  const { problem } = await approveForPerson(session, id, remember)
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
  #deadlines: ReadonlyMap<string, number> = NONE

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes the confirmations of a new state. Call it for every state, as soon as there is one. */
  note(state: ConfirmationState & Pick<WorkspaceState, 'latestAt'>): void {
    const all = allConfirmations(state)
    if (all.length === 0) {
      this.#deadlines = NONE
      return
    }
    const { latestAt } = state
    const known = this.#deadlines
    this.#deadlines = new Map(
      all.map((one) => [one.id, known.get(one.id) ?? this.#deadlineOf(one, latestAt)]),
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
