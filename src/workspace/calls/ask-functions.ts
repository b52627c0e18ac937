import type { ConditionAnswer } from '../../engine/model/consent-event.ts'
import type {
  PermissionRule,
  Policy,
  RuleAnswer,
  RuleFunction,
  RuleList,
} from '../../engine/model/policy.ts'
import { LOAD_SKILL } from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess } from '../../engine/standing/assess.ts'
import type { CalledTool } from '../../engine/standing/loading-effect.ts'
import {
  functionMissing,
  functionsOf,
  isAbout,
  type PermissionFacts,
  policyChain,
} from '../../engine/standing/permission.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import { isWhere, type LevelAnswers } from '../../engine/standing/where-matches.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { isObject } from '../../kernel/json-value.ts'
import { hideSecrets } from '../../kernel/redactor.ts'
import { thrownMessage, tryOrUndefined } from '../../kernel/thrown-message.ts'
import type { DeskParts } from './desk-parts.ts'
import {
  bridgeForms,
  type CallForms,
  callForms,
  type FunctionAnswers,
  type InputCheck,
  NO_ANSWERS,
} from './request/check-input.ts'
import type { CallRequest, RequestedCall } from './request/call-request.ts'
import { loadedDigest } from '../commands/loading-question.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'

/** The longest reason that the log keeps, in characters. */
const REASON_LENGTH = 500

type CalledRow = Pick<PermissionFacts, 'claim' | 'tool'> & Pick<CalledTool, 'owner'>

/** A called tool, and the arguments of the call in each form that rules look at. */
interface JudgedCall extends CallForms, Pick<CallRequest, 'caller' | 'services'> {
  readonly row: CalledRow
}

/**
 * Asks the condition of a called tool, and the functions of the rules that are about the call. A function sees each form
 * of the arguments; for `deny` and `ask` one yes is enough, `allow` needs a yes to all of them.
 *
 * A function that is not in this process, throws, takes too long or answers with something else gives no
 * answer: its rule then counts in `deny` and `ask`, and not in `allow`. Rejects only when the signal is aborted.
 */
export async function askFunctions(
  made: RequestedCall,
  row: ToolRow,
  checked: InputCheck,
  parts: DeskParts,
): Promise<FunctionAnswers> {
  const { store, context } = parts
  const { request, signal } = made
  const { state } = store.getState()
  if (!checked.input.ok) return NO_ANSWERS
  const { digest } = checked.input
  const condition = row.tool?.confirms && (await askCondition(made, row, checked, digest, parts))
  const { caller, bridge, services } = request
  const call = { row, caller, services, ...callForms(checked, row, state, context) }
  const own = await answersFor(call, state, parts, signal)
  const answers = { own, bridge: [], ...(condition && { condition }) }
  const through = bridge && assess(state, context, bridge.tool)
  if (through?.kind !== 'registered') return answers
  const ofBridge = { row: through.row, caller, services, ...bridgeForms(request, row.claim) }
  return { ...answers, bridge: await answersFor(ofBridge, state, parts, signal) }
}

async function answersFor(
  call: JudgedCall,
  { policy }: WorkspaceState,
  parts: DeskParts,
  signal: AbortSignal,
): Promise<LevelAnswers> {
  const levels = policyChain(policy)
  return Promise.all(levels.map((one, level) => answersOf(one, level, call, parts, signal)))
}

/** Asks the functions in the policy of a session, or of one above it. */
async function answersOf(
  policy: Policy,
  level: number,
  call: JudgedCall,
  parts: DeskParts,
  signal: AbortSignal,
): Promise<readonly RuleAnswer[]> {
  const answers: RuleAnswer[] = []
  for (const list of ['deny', 'ask', 'allow'] as const) {
    for (const rule of policy[list]) {
      if (typeof rule === 'string' || typeof rule.when !== 'string') continue
      const { when } = rule
      if (answers.some((one) => one.list === list && one.when === when)) continue
      if (!isAboutCall(rule, list, call)) continue
      const judge = functionsOf(parts.context, level)?.get(when)
      const answer =
        judge === undefined
          ? stricter(list, functionMissing(when))
          : await answerOf(when, judge, list, call, parts, signal)
      answers.push({ list, when, ...answer })
    }
  }
  return answers
}

function isAboutCall(rule: PermissionRule, list: RuleList, call: JudgedCall): boolean {
  const { row, forms, spellings } = call
  return isAbout(rule, { ...row, source: row.owner }) && isWhere(rule, list, forms, spellings)
}

type Answer = Pick<RuleAnswer, 'applies' | 'because'>

/** A rule without an answer: it counts where it holds a call up, and does not where it lets one through. */
function stricter(list: RuleList, because: string): Answer {
  return { applies: list !== 'allow', because: shortReason(because) }
}

async function answerOf(
  name: string,
  judge: RuleFunction,
  list: RuleList,
  { row, forms, spellings, caller, services }: JudgedCall,
  { session, principal, limits, context: redacting }: DeskParts,
  signal: AbortSignal,
): Promise<Answer> {
  const context = { session, services, principal, tool: row.claim.name, caller }
  const seen = new Set<string>()
  let answer: Answer = { applies: false }
  for (const form of list === 'allow' ? forms : [...forms, ...spellings]) {
    const text = tryOrUndefined(() => canonicalJson(form)) ?? String(seen.size)
    if (seen.has(text)) continue
    seen.add(text)
    try {
      const ask = (limited: AbortSignal) => judge(copyOf(form), { ...context, signal: limited })
      const what = `The function "${name}"`
      answer = readAnswer(list, name, await withTimeLimit(what, limits.checkMs, ask, signal))
    } catch (problem) {
      if (signal.aborted) throw problem
      const message = hideSecrets(thrownMessage(problem), redacting.redactor)
      return stricter(list, `the function "${name}" failed: ${message}`)
    }
    if (answer.applies !== (list === 'allow')) return answer
  }
  return answer
}

function readAnswer(list: RuleList, name: string, given: unknown): Answer {
  if (typeof given === 'boolean') return { applies: given }
  if (given === undefined || given === null || given === '') return { applies: false }
  if (typeof given !== 'string') {
    return stricter(list, `the function "${name}" answered with neither a boolean nor text`)
  }
  return { applies: true, because: shortReason(given) }
}

/** A copy, so that a function cannot change what runs. What cannot be copied is made by a schema of the host. */
function copyOf(form: unknown): Readonly<Record<string, unknown>> {
  const copy = tryOrUndefined(() => structuredClone(form)) ?? form
  return isObject(copy) ? copy : {}
}

/**
 * Returns the answer of a tool's own condition (`requiresConfirmation` as a function). The answer about a call with an id
 * is kept until the call is made, since a host may ask about it before.
 */
async function askCondition(
  { request, call, isMade }: RequestedCall,
  row: ToolRow,
  checked: InputCheck,
  digest: ContentHash,
  parts: DeskParts,
): Promise<ConditionAnswer> {
  const { inFlight } = parts
  const { claim, tool } = row
  const { hash } = claim
  const id = request.call ?? (isMade ? call : undefined)
  const known = id === undefined ? undefined : inFlight.knownCondition(id)
  const isKnown = known?.hash === hash && known.digest === digest
  const answer = isKnown ? known.answer : conditionAnswer(request, id ?? '', row, checked, parts)
  if (id !== undefined && !isKnown && !isMade) inFlight.noteCondition(id, { hash, digest, answer })
  if (id !== undefined && isMade) inFlight.forgetCondition(id)
  const condition = await answer
  const about =
    condition.asks && tool?.name === LOAD_SKILL ? loadedDigest(checked.value, parts) : null
  return { ...condition, ...(about !== null && { about }) }
}

/**
 * Asks a condition. A person is asked if it throws, or does not answer in time.
 *
 * @param id of the call; empty for one without an id
 */
async function conditionAnswer(
  { caller, services, aiSdk }: CallRequest,
  id: string,
  { tool, claim, owner }: ToolRow,
  { value }: InputCheck,
  parts: DeskParts,
): Promise<ConditionAnswer> {
  const { session, principal, limits, closing } = parts
  const call = { id, tool: claim.name, owner: owner.owner, session, caller }
  const context = { services, principal, call, ...(aiSdk && { aiSdk }) }
  const ask = () => Promise.resolve(tool?.confirms?.(value, context))
  try {
    const answer = await withTimeLimit('The condition', limits.checkMs, ask, closing.signal)
    if (typeof answer !== 'string') return { asks: Boolean(answer) }
    return answer === '' ? { asks: false } : { asks: true, reason: shortReason(answer) }
  } catch (problem) {
    const message = hideSecrets(thrownMessage(problem), parts.context.redactor)
    return { asks: true, reason: shortReason(`the condition failed: ${message}`) }
  }
}

function shortReason(reason: string): string {
  return reason.slice(0, REASON_LENGTH).toWellFormed()
}
