import { fold } from '../../engine/evolve/evolve.ts'
import type { Cause } from '../../engine/model/cause.ts'
import type { CommandOf, StoredApproval } from '../../engine/model/command.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess, stateFor } from '../../engine/standing/assess.ts'
import { skillLoadedByCall } from '../../engine/standing/findable-tools.ts'
import { hasFunctions } from '../../engine/standing/permission.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import { checkOptions } from '../../kernel/check-options.ts'
import { storedApproval } from './approve.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import type { CallInFlight } from './calls-in-flight.ts'
import { judgeCondition, judgeRules, type RuleAnswers } from './judge-rules.ts'
import {
  CALL_OPTIONS,
  CALLER_OPTIONS,
  type CallOptions,
  type CallRequest,
  meantCall,
} from './request/call-request.ts'
import {
  checkInput,
  type InputCheck,
  matchBridgeRules,
  matchPolicyRules,
} from './request/check-input.ts'
import type { Outcome } from '../commands/outcome.ts'
import { runningHookOf } from '../commands/carry-out-plan.ts'
import { isAskedAbout } from '../commands/loading-question.ts'

/** The facts of a call that have to be known before it is decided. */
export interface PreparedCall {
  readonly row: ToolRow | null
  readonly checked: InputCheck
  readonly stored: StoredApproval | undefined
  /** Absent when no function decides about the call. */
  readonly answers?: RuleAnswers
}

/** The arguments of a call that is refused before anyone reads them. */
const UNCHECKED: InputCheck = {
  input: { ok: false, issues: [] },
  given: undefined,
  value: undefined,
}

/** The cause of a call by a handler is that handler's own call. */
export function causeOf({ caller, within }: CallRequest, call: string): Cause {
  switch (caller) {
    case 'model':
      return { by: caller, call }
    case 'tool':
      return { by: caller, call: within?.chain.at(-1) ?? call }
    case 'user':
    case 'host':
      return { by: caller }
  }
}

/** Activates the skill of a found tool, runs its resumed hook, and finds out what the decision needs. */
export async function prepareCall(
  request: CallRequest,
  running: CallInFlight,
  cause: Cause,
  signal: AbortSignal,
  parts: CallPipelineParts,
): Promise<PreparedCall | { readonly refused: Extract<Outcome, { ok: false }> }> {
  if (request.stopped !== undefined) return { row: null, checked: UNCHECKED, stored: undefined }
  const refused = await activateForCall(request, cause, parts)
  if (refused) return { refused }
  if (parts.parent) await parts.dispatcher.inherit()
  const row = await rowForCall(request, running, parts)
  const call = request.call ?? running.call
  const facts = await findFacts({ ...request, call }, row, parts, signal, true)
  parts.inFlight.forgetCondition(call)
  return facts
}

/**
 * Checks the arguments of a call, and asks the functions of rules, the condition of its tool and the approval store.
 *
 * @param isRecorded an approval store that fails leads to a warning in the log
 */
async function findFacts(
  request: CallRequest,
  row: ToolRow | null,
  parts: CallPipelineParts,
  signal: AbortSignal,
  isRecorded: boolean,
): Promise<PreparedCall> {
  const parsed = await checkInput(row?.tool, request.input, parts.limits.timeoutMs)
  const isJudged = row?.tool?.confirms !== undefined || hasFunctions(parts.store.getState().state)
  const checked = isJudged ? await judgeCondition(row, request, parsed, parts) : parsed
  const answers = isJudged && { answers: await judgeRules(request, row, checked, parts, signal) }
  const stored = await storedApproval(
    row,
    request.within?.origin ?? request.caller,
    parts,
    signal,
    isRecorded,
  )
  return { row, checked, stored, ...answers }
}

/** Returns the command that starts a prepared call. It is built from the state it is decided on: rules may be newer. */
export function startCommand(
  request: CallRequest,
  call: string,
  { row, checked, stored, answers }: PreparedCall,
  state: WorkspaceState,
  { context, limits }: Pick<CallPipelineParts, 'context' | 'limits'>,
): CommandOf<'call.start'> {
  const bridge = matchBridgeRules(request, row?.claim, state, answers?.bridge ?? [])
  return {
    type: 'call.start',
    call,
    ...(request.call !== undefined && { given: request.call }),
    ...(request.resumes !== undefined && { resumes: request.resumes }),
    ...(request.stopped !== undefined && { stopped: request.stopped }),
    tool: request.tool,
    hash: row?.claim.hash ?? null,
    since: row?.owner.since ?? null,
    input: matchPolicyRules(checked, row, state, context, answers?.own ?? []),
    ...(bridge && { bridge }),
    caller: request.caller,
    ...(row?.tool?.client === true && { client: true }),
    confirmationMs: limits.confirmationMs,
    ...(stored && { stored }),
  }
}

/** Returns the caller that options name. Throws `OPTIONS_INVALID`. */
export function checkedCaller(options?: Pick<CallOptions, 'caller'>): CallOptions['caller'] {
  if (options !== undefined) checkOptions(options, CALLER_OPTIONS)
  return options?.caller
}

/**
 * Returns true when a call would ask a person first now: the decision about it, of which nothing is recorded. A call of
 * a found tool is decided in the state that the activation of its skill leads to. False for a call that would be refused
 * for another reason. An approval store that fails counts as empty.
 */
export async function asksAbout(
  parts: CallPipelineParts,
  tool: string,
  input: unknown,
  options: CallOptions = {},
): Promise<boolean> {
  checkOptions(options, CALL_OPTIONS)
  const { store, context, closing, dispatcher, parent } = parts
  await parent?.known.read()
  const { caller = 'model' } = options
  const now = () => stateFor(caller, store.getState().state)
  const before = now()
  const request = meantCall({ ...options, caller, tool, input }, before, context)
  const cause = causeOf(request, request.call ?? '')
  const loading = skillLoadedByCall(before, context, request.tool)
  if (loading !== null && (await isAskedAbout(loading.skill, parts))) return false
  const stateAtCall = () => {
    const state = now()
    if (loading === null) return state
    const activation = { type: 'skill.activate', skill: loading.skill, unlessActive: true } as const
    const { drafts } = dispatcher.preview(activation, cause, state)
    return fold(
      drafts.map((draft, at) => ({ ...draft, seq: state.seq + 1 + at, at: 0 })),
      state,
    )
  }
  const found = assess(stateAtCall(), context, request.tool)
  const row = found.kind === 'registered' ? found.row : null
  const prepared = await findFacts(request, row, parts, closing.signal, false)
  const state = stateAtCall()
  const command = startCommand(request, request.call ?? '', prepared, state, parts)
  const decision = dispatcher.preview(command, cause, state)
  return decision.kind === 'refused' && decision.refusal.code === 'confirmation-required'
}

/**
 * Activates the skill that a call of a found tool needs, with the usual command: hooks, conflicts and
 * permissions apply. Null when the call needs no skill, or the skill was activated.
 *
 * Another process may have found an unregistered tool, or activated its skill: the log is read before the
 * call is judged.
 *
 * The code of a refusal is the status of the tool, as for every refused call. Its message says why the
 * skill was not activated.
 */
async function activateForCall(
  { tool: address, caller }: CallRequest,
  cause: Cause,
  parts: CallPipelineParts,
): Promise<Extract<Outcome, { ok: false }> | null> {
  const { store, context, dispatcher } = parts
  const now = () => stateFor(caller, store.getState().state)
  const { kind } = assess(now(), context, address)
  if (kind === 'registered' || runningHookOf(dispatcher)) return null
  let loading = skillLoadedByCall(now(), context, address)
  if (loading === null && kind === 'unregistered') {
    await dispatcher.catchUp()
    loading = skillLoadedByCall(now(), context, address)
  }
  // Only a call of `loadSkill` can ask.
  if (loading === null || (await isAskedAbout(loading.skill, parts))) return null
  const { skill } = loading
  const command = { type: 'skill.activate' as const, skill, unlessActive: true }
  const outcome = await dispatcher.dispatch(command, cause, { drain: true })
  if (outcome.ok) return null
  const { code, message, hint, facts } = outcome
  return {
    ...outcome,
    code: 'skill-inactive',
    message: `The tool "${address}" is not available (skill-inactive): its skill "${skill}" could not be loaded. ${message}`,
    hint,
    facts: { ...facts, tool: address, skill, activation: code },
  }
}

/**
 * Finds the row of the called tool, after the hook of its skill has run in this process; null for an
 * unregistered tool. When the hook of a skill fails, another owner of the same name is tried next.
 *
 * A call made by a hook does not wait for hooks: it is refused anyway, and could wait for itself. Rejects
 * when the log could not take the outcome of a hook.
 */
async function rowForCall(
  request: CallRequest,
  running: CallInFlight,
  parts: CallPipelineParts,
  resumedSince: number | null = null,
): Promise<ToolRow | null> {
  const { resumed, dispatcher, store, context } = parts
  const state = stateFor(request.caller, store.getState().state)
  const found = assess(state, context, request.tool)
  const row = found.kind === 'registered' ? found.row : null
  const skill = row?.owner.source === 'skill' ? row.owner : null
  running.belongsTo(skill?.owner ?? null)
  if (skill === null || row?.status !== 'available' || runningHookOf(dispatcher)) return row
  const { owner, since } = skill
  if (since === resumedSince || !resumed.awaits(owner, since)) return row
  const command = { type: 'skill.resume' as const, skill: owner, since }
  await resumed.ensure(skill, () => dispatcher.dispatch(command, { by: 'resume' }))
  return rowForCall(request, running, parts, since)
}
