import type { PendingConfirmation } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { PermissionRule, Policy, RuleList, WhereMatches } from '../model/policy.ts'
import { isMeta, type OpenClaim, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { isNamedBy } from './allowed-tool.ts'
import { allowedListsFor, isAbout, permissionOf, policyChain } from './permission.ts'
import { isConfirmationFor, rememberedApproval } from './remembered-approval.ts'
import { asksFirst } from './tool-status.ts'
import { isAboutCalls } from './where-matches.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/**
 * What a call settles before it starts, in this order: it activates the skill of a found tool; runs the hook of a skill
 * that another process activated; its arguments decide; a function of the host does, of a rule or of the tool's
 * condition; the approval store is asked; a person is; and a person is shown what the call would do.
 */
export type CallNeed =
  'activate' | 'resume' | 'arguments' | 'ask-function' | 'ask-store' | 'ask-person' | 'preview'

/** What becomes of a call with valid arguments: its handler runs, a person is asked first, or it is refused. */
export type CallOutcome = 'run' | 'ask' | 'refuse'

/** What a state says about the calls of a tool by one caller. */
export interface CallProspect {
  readonly needs: readonly CallNeed[]
  /** One, unless something in `needs` decides. */
  readonly outcomes: readonly CallOutcome[]
  /** The answer about one of its calls counts until then, in milliseconds since 1970; absent for none. */
  readonly until?: number
}

/** A tool that can be called, with its owner. */
interface CalledTool {
  readonly claim: Pick<OpenClaim, 'name' | 'definedAs' | 'nameOnServer' | 'trusted' | 'hash'>
  readonly owner: Pick<OpenSource, 'source' | 'owner'> & Partial<Pick<OpenSource, 'since'>>
  readonly tool: Tool
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

/** Returns what a state says about the calls of an available tool. Nothing of the host is asked. */
export function callProspect(
  called: CalledTool,
  caller: Caller,
  state: WorkspaceState,
  context: EngineContext,
): CallProspect {
  const { tool, owner, claim } = called
  const { calls } = context
  const needs = new Set<CallNeed>()
  const outcomes = new Set<CallOutcome>()
  const settledBy = (need: CallNeed, outcome?: CallOutcome) => {
    needs.add(need)
    if (outcome !== undefined) outcomes.add(outcome)
  }
  if (owner.since !== undefined && calls?.resumes(owner.owner, owner.since) === true) {
    settledBy('resume', 'refuse')
  }
  const rules = rulesForCalls(called, state)
  const entries = entriesForCalls(called, state, context)
  if (entries.length > 0 || rules.some(({ rule }) => rule.where !== undefined)) {
    settledBy('arguments')
  }
  if (tool.confirms !== undefined || rules.some(({ rule }) => rule.when !== undefined)) {
    settledBy('ask-function')
  }
  const matches = [
    matching(state.policy, []),
    ...(rules.length + entries.length === 0
      ? []
      : [
          matching(state.policy, ['deny']),
          matching(state.policy, ['ask']),
          { ...matching(state.policy, ['allow']), allowed: entries },
        ]),
  ]
  for (const where of matches) {
    const permission = permissionOf(called, state, context, where)
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
  { claim, owner }: CalledTool,
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

/** A rule that is about some calls of a tool only. */
interface CallRule {
  readonly list: RuleList
  readonly rule: PermissionRule
}

/** Returns the rules of a session, and of those above it, that are about some calls of a tool. */
export function rulesForCalls(
  { claim, owner, tool }: Pick<CalledTool, 'claim' | 'owner'> & { readonly tool: Tool | undefined },
  { policy }: Pick<WorkspaceState, 'policy'>,
): readonly CallRule[] {
  const facts = { claim, source: owner, tool }
  return (['deny', 'ask', 'allow'] as const).flatMap((list) =>
    policyChain(policy).flatMap((one) =>
      one[list].flatMap((rule) =>
        typeof rule !== 'string' && isAboutCalls(rule) && isAbout(rule, facts)
          ? [{ list, rule }]
          : [],
      ),
    ),
  )
}

/** Returns the entries of skills' `allowed-tools` that are about some calls of a tool. */
function entriesForCalls(
  { claim, owner }: CalledTool,
  state: WorkspaceState,
  { catalog }: EngineContext,
): readonly string[] {
  return allowedListsFor(owner, state, catalog).flatMap(({ tools }) =>
    tools.flatMap((one) =>
      one.argument !== null && one.calls && isNamedBy(one, { claim, source: owner })
        ? [one.text]
        : [],
    ),
  )
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
