import type { PendingConfirmation } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { PermissionRule, Policy, RuleList, WhereMatches } from '../model/policy.ts'
import { isMeta, type OpenClaim, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { isNamedBy } from './allowed-tool.ts'
import {
  allowedListsFor,
  hasFunctions,
  isAbout,
  type Permission,
  permissionOf,
  policyChain,
} from './permission.ts'
import { isConfirmationFor, rememberedApproval } from './remembered-approval.ts'
import { asksFirst } from './tool-status.ts'
import type { ToolRow } from './tool-table.ts'
import { isAboutCalls } from './where-matches.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/**
 * A thing that a call settles before it starts, in this order: it activates the skill of a found tool; runs the hook of a skill
 * that another process activated; its arguments decide; a function of the host does, of a rule or of the tool's
 * condition; the approval store is asked; a person is; a person is shown what the call would do; and the call takes its
 * part of the budget of its principal.
 */
export type CallNeed =
  | 'activate'
  | 'resume'
  | 'arguments'
  | 'ask-function'
  | 'ask-store'
  | 'ask-person'
  | 'preview'
  | 'take-part'

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

const OUTCOMES: readonly CallOutcome[] = ['run', 'ask', 'refuse']

const NEEDS: readonly CallNeed[] = [
  'activate',
  'resume',
  'arguments',
  'ask-function',
  'ask-store',
  'ask-person',
  'preview',
  'take-part',
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
  terms = callTerms(called, state, context),
): CallProspect {
  const { tool, owner, claim, permission } = called
  if (tool === undefined || permission === null) return REFUSED
  const {
    mostSame = Infinity,
    mostEmpty = Infinity,
    hasStore = false,
    hasBudget = false,
  } = context.calls ?? {}
  const needs = new Set<CallNeed>()
  const isByModel = caller === 'model'
  const resumes = owner.since !== undefined && context.calls?.resumes(owner.owner, owner.since)
  if (resumes === true) needs.add('resume')
  const { rules, entries } = terms
  if (entries.length > 0 || rules.some(({ rule }) => rule.where)) needs.add('arguments')
  if (tool.confirms || rules.some(({ rule }) => rule.when)) needs.add('ask-function')
  // The tool that `call_tool` names decides, too.
  const isBridge = isMeta(owner) && claim.name === 'call_tool'
  if (isBridge) needs.add('arguments')
  const outcomes = new Set<CallOutcome>(isBridge ? OUTCOMES : resumes === true ? ['refuse'] : [])
  for (const one of possiblePermissions(called, permission, terms, state, context)) {
    for (const requiresConfirmation of tool.confirms
      ? [true, false]
      : [tool.requiresConfirmation]) {
      const asks = asksFirst(one, { requiresConfirmation, risk: tool.risk }, isByModel)
      outcomes.add(one.effect === 'deny' ? 'refuse' : asks ? 'ask' : 'run')
    }
  }
  const answers = outcomes.has('ask') ? answersAbout(called, state) : []
  for (const { consent } of answers) outcomes.add(consent === 'approved' ? 'run' : 'refuse')
  const approval = rememberedApproval(called, state)
  const asksStore = hasStore && !isMeta(owner)
  if (outcomes.has('ask') && approval && (approval.scope === 'session' || !asksStore)) {
    outcomes.delete('ask')
    outcomes.add('run')
  }
  if (outcomes.has('ask')) {
    needs.add('ask-person')
    if (asksStore) needs.add('ask-store')
    if (asksStore) outcomes.add('run')
    if (tool.preview) needs.add('preview')
  }
  const isRepeated = state.sameCalls.some(
    ({ hash, owner: of, times }) => hash === claim.hash && of === owner.owner && times >= mostSame,
  )
  const isEmpty = state.emptyCalls.some(
    ({ tool: name, owner: of, times }) =>
      name === claim.name && of === owner.owner && times >= mostEmpty,
  )
  const isLimited = (isRepeated || isEmpty) && isByModel && state.turn > 0 && tool.polling !== true
  if (isLimited) outcomes.add('refuse')
  if (isLimited || answers.length > 0) needs.add('arguments')
  if (hasBudget && outcomes.has('run') && !isMeta(owner)) {
    needs.add('take-part')
    outcomes.add('refuse')
  }
  return {
    needs: NEEDS.filter((one) => needs.has(one)),
    outcomes: OUTCOMES.filter((one) => outcomes.has(one)),
    ...(answers.length > 0 && { until: Math.min(...answers.map(({ expiresAt }) => expiresAt)) }),
  }
}

/** Returns the permissions that calls of a tool may have, from the strictest to the loosest. */
function possiblePermissions(
  called: JudgedCall,
  ofAll: Permission,
  { rules, entries }: CallTerms,
  state: WorkspaceState,
  context: EngineContext,
): readonly Permission[] {
  if (rules.length + entries.length === 0) return [ofAll]
  const all = entries.map(({ text }) => text)
  const matches = [[], ['deny'], ['ask'], ['allow']] as const
  return matches.flatMap((lists) =>
    (all.length === 0 ? [all] : [[], all]).map((allowed) =>
      permissionOf(called, state, context, { ...matching(state.policy, lists), allowed }),
    ),
  )
}

/** The answers of a person about single calls of a tool. */
function answersAbout(
  { claim, owner }: JudgedCall,
  { answers, opening, latestAt }: WorkspaceState,
): readonly PendingConfirmation[] {
  return answers.filter(
    (one) =>
      one.expiresAt > latestAt &&
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

/** A need that is met before a call is decided. The decision itself asks a person, and a call that it lets run takes its part. */
export type SuppliedNeed = Exclude<CallNeed, 'ask-person' | 'take-part'>

/** The facts about a call that no state has, by the need that they meet. */
export type SuppliedFacts = { readonly [need in SuppliedNeed]?: unknown } & {
  /** The activation whose hook ran. */
  readonly resume?: number | undefined
  /** The definition, and the registration, that the arguments were checked against. */
  readonly arguments?: { readonly hash: ContentHash | null; readonly since: number | null }
}

/** A call that is not decided yet. */
export interface UndecidedCall {
  /** The tool that it means in the state; null for one that is not registered. */
  readonly row: ToolRow | null
  /** The caller of the outermost call that it is within. */
  readonly origin: Caller
  /** False for a call that activates no skill, runs no hook and shows no preview. */
  readonly isMade: boolean
}

/**
 * Returns what the decision about a call needs next; null when it can be made. A fact about another tool than the one
 * that has the name now does not count.
 */
export function nextNeed(
  { row, origin, isMade }: UndecidedCall,
  known: SuppliedFacts,
  state: WorkspaceState,
  context: EngineContext,
): SuppliedNeed | null {
  if (row === null && isMade && known.activate === undefined) return 'activate'
  const { calls } = context
  const isAvailable = row?.status === 'available'
  if (isAvailable && isMade) {
    const { owner, since } = row.owner
    if (calls?.resumes(owner, since) === true && known.resume !== since) return 'resume'
  }
  const checked = known.arguments
  if (checked === undefined) return 'arguments'
  if (row === null) return null
  if (checked.hash !== row.claim.hash || checked.since !== row.owner.since) return 'arguments'
  const { tool } = row
  if (!isAvailable || tool === undefined) return null
  const isJudged = tool.confirms !== undefined || hasFunctions(state)
  if (isJudged && known['ask-function'] === undefined) return 'ask-function'
  if (calls?.hasStore === true && known['ask-store'] === undefined) {
    const { needs } = callProspect(row, origin, state, context)
    if (needs.includes('ask-store')) return 'ask-store'
  }
  const isShown = isMade && tool.preview !== undefined
  return isShown && known.preview === undefined ? 'preview' : null
}
