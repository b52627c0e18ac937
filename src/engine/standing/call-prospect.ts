import type { PendingConfirmation } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { PermissionRule, Policy, RuleList, WhereMatches } from '../model/policy.ts'
import { isMeta, type OpenClaim, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { isNamedBy } from './allowed-tool.ts'
import {
  allowedListsFor,
  isAbout,
  type Permission,
  permissionOf,
  policyChain,
} from './permission.ts'
import { isConfirmationFor, rememberedApproval } from './remembered-approval.ts'
import { asksFirst } from './tool-status.ts'
import { isAboutCalls } from './where-matches.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/**
 * A thing that a call settles before it starts, in this order: it activates the skill of a found tool; runs the hook of a skill
 * that another process activated; its arguments decide; a function of the host does, of a rule or of the tool's
 * condition; the approval store is asked; a person is; and a person is shown what the call would do.
 */
export type CallNeed =
  'activate' | 'resume' | 'arguments' | 'ask-function' | 'ask-store' | 'ask-person' | 'preview'

/** The outcome of a call with valid arguments: its handler runs, a person is asked first, or it is refused. */
export type CallOutcome = 'run' | 'ask' | 'refuse'

/** The facts of a state about the calls of a tool by one caller. */
export interface CallProspect {
  readonly needs: readonly CallNeed[]
  /** One, unless something in `needs` decides. */
  readonly outcomes: readonly CallOutcome[]
  /** The answer about one of its calls counts until then, in milliseconds since 1970; absent for none. */
  readonly until?: number
}

/** A tool, registered or of an inactive skill, with its owner and what the policy says about all of its calls. */
interface JudgedCall {
  readonly claim: Pick<OpenClaim, 'name' | 'definedAs' | 'nameOnServer' | 'trusted' | 'hash'>
  readonly owner: Pick<OpenSource, 'source' | 'owner'> & Partial<Pick<OpenSource, 'since'>>
  readonly tool: Tool | undefined
  readonly permission: Permission | null
}

export const REFUSED: CallProspect = { needs: [], outcomes: ['refuse'] }

const NEEDS: readonly CallNeed[] = [
  'activate',
  'resume',
  'arguments',
  'ask-function',
  'ask-store',
  'ask-person',
  'preview',
]

/**
 * Returns what a state says about the calls of an available tool. Nothing of the host is asked.
 *
 * @param terms the rules and entries that are about some of its calls
 */
export function callProspect(
  called: JudgedCall,
  caller: Caller,
  state: WorkspaceState,
  context: EngineContext,
  { rules, entries } = callTerms(called, state, context),
): CallProspect {
  const { tool, owner, claim, permission: ofAll } = called
  const { calls } = context
  if (tool === undefined || ofAll === null) return REFUSED
  const needs = new Set<CallNeed>()
  const outcomes = new Set<CallOutcome>()
  const settledBy = (need: CallNeed, outcome?: CallOutcome) => {
    needs.add(need)
    if (outcome !== undefined) outcomes.add(outcome)
  }
  if (owner.since !== undefined && calls?.resumes(owner.owner, owner.since) === true) {
    settledBy('resume', 'refuse')
  }
  if (entries.length > 0 || rules.some(({ rule }) => rule.where !== undefined)) {
    settledBy('arguments')
  }
  if (tool.confirms !== undefined || rules.some(({ rule }) => rule.when !== undefined)) {
    settledBy('ask-function')
  }
  const permissions = [ofAll]
  if (rules.length + entries.length > 0) {
    const judge = (where: WhereMatches) => permissionOf(called, state, context, where)
    const { policy } = state
    const loosest = { ...matching(policy, ['allow']), allowed: entries.map(({ text }) => text) }
    const others = ([[], ['deny'], ['ask']] as const).map((lists) => matching(policy, lists))
    permissions.splice(0, 1, ...[loosest, ...others].map(judge))
  }
  for (const permission of permissions) {
    for (const asks of tool.confirms === undefined ? [tool.requiresConfirmation] : [true, false]) {
      const judged = { requiresConfirmation: asks, risk: tool.risk }
      if (permission.effect === 'deny') outcomes.add('refuse')
      else outcomes.add(asksFirst(permission, judged, caller === 'model') ? 'ask' : 'run')
    }
  }
  const answers = outcomes.has('ask') ? answersAbout(called, state) : []
  for (const { consent } of answers) {
    settledBy('arguments', consent === 'approved' ? 'run' : 'refuse')
  }
  if (outcomes.has('ask')) {
    const approval = rememberedApproval(called, state)
    const isKept = calls?.hasStore === true && !isMeta(owner)
    if (approval?.scope === 'session' || (approval !== undefined && !isKept)) {
      outcomes.delete('ask')
      outcomes.add('run')
    } else {
      if (isKept) settledBy('ask-store', 'run')
      settledBy('ask-person')
      if (tool.preview !== undefined) settledBy('preview')
    }
  }
  const isLimited = caller === 'model' && state.turn > 0 && tool.polling !== true
  const isRepeated = state.sameCalls.some(
    (one) =>
      one.hash === claim.hash &&
      one.owner === owner.owner &&
      one.times >= (calls?.mostSame ?? Infinity),
  )
  if (isLimited && isRepeated) settledBy('arguments', 'refuse')
  return {
    needs: NEEDS.filter((one) => needs.has(one)),
    outcomes: [...outcomes],
    ...(answers.length > 0 && { until: Math.min(...answers.map(({ expiresAt }) => expiresAt)) }),
  }
}

/** The answers of a person about single calls of a tool. */
function answersAbout(
  { claim, owner }: JudgedCall,
  { confirmations, opening }: WorkspaceState,
): readonly PendingConfirmation[] {
  return confirmations.filter(
    (one) =>
      one.consent !== 'pending' &&
      one.child === undefined &&
      one.tool === claim.name &&
      one.hash === claim.hash &&
      one.principal === (opening?.principal ?? null) &&
      isConfirmationFor(one, { owner }),
  )
}

/** The rules and entries of a session that are about some calls of a tool only. */
export interface CallTerms {
  /** The rules of its policy, and of those above it. */
  readonly rules: readonly { readonly list: RuleList; readonly rule: PermissionRule }[]
  /** The entries of skills' `allowed-tools`. */
  readonly entries: readonly { readonly skill: string; readonly text: string }[]
}

/** Returns the rules and entries that are about some calls of a tool only. */
export function callTerms(
  { claim, owner, tool }: Pick<JudgedCall, 'claim' | 'owner' | 'tool'>,
  state: Pick<WorkspaceState, 'open' | 'policy'>,
  { catalog }: Pick<EngineContext, 'catalog'>,
): CallTerms {
  const facts = { claim, source: owner, tool }
  const rules: CallTerms['rules'][number][] = []
  const levels = policyChain(state.policy)
  for (const list of ['deny', 'ask', 'allow'] as const) {
    for (const rule of levels.flatMap((one) => one[list])) {
      if (typeof rule === 'string' || !isAboutCalls(rule) || !isAbout(rule, facts)) continue
      rules.push({ list, rule })
    }
  }
  const entries = allowedListsFor(owner, state, catalog).flatMap(({ skill, tools }) =>
    tools.flatMap((one) =>
      one.argument !== null && one.calls && isNamedBy(one, facts)
        ? [{ skill, text: one.text }]
        : [],
    ),
  )
  return { rules, entries }
}

/** Returns the matches of a call that every rule of some lists is about, and no rule of the others. */
function matching(policy: Policy, lists: readonly RuleList[]): WhereMatches {
  const places = (list: RuleList) => (lists.includes(list) ? [...policy[list].keys()] : [])
  return {
    deny: places('deny'),
    ask: places('ask'),
    allow: places('allow'),
    ...(policy.above && { above: policy.above.map((one) => matching(one, lists)) }),
  }
}
