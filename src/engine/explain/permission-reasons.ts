import { describeReason, describeRule } from './describe-rule.ts'
import type { Reason } from './explanation.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { PermissionRule, Rule, RuleList } from '../model/policy.ts'
import { ruleKey } from '../model/stored-rule.ts'
import { type FilePlace, filePlace } from '../../kernel/diagnostic.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import {
  allowedListsFor,
  functionsOf,
  isAbout,
  type Permission,
  permissionOf,
  policyChain,
} from '../standing/permission.ts'
import { isNamedBy } from '../standing/allowed-tool.ts'
import { rememberedApproval } from '../standing/remembered-approval.ts'
import { asksFirst, blockingPolicy } from '../standing/tool-status.ts'
import { isAboutCalls } from '../standing/where-matches.ts'
import type { ToolRow } from '../standing/tool-table.ts'

const THE_POLICY_ABOVE = 'The policy of its parent session'

type Judged = Pick<ToolRow, 'claim' | 'owner' | 'tool'>

/**
 * Returns the rule, list or approval that decides about a tool, then the rules for some of its
 * calls.
 */
export function permissionReasons(
  row: Judged,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  return [
    ...whyPermitted(row, state, context),
    ...(['deny', 'ask', 'allow'] as const).flatMap((list) =>
      rulesForSomeCalls(list, row, state, context),
    ),
    ...listsForSomeCalls(row, state, context),
  ]
}

function whyPermitted(
  row: Judged,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const permission = permissionOf(row, state, context, null)
  const { requiresConfirmation = false, risk = 'moderate' } = row.tool ?? {}
  const isDestructive = risk === 'destructive'
  const asksItself = requiresConfirmation || isDestructive
  const asks = asksFirst(permission, { requiresConfirmation, risk })
  const approval = asks ? rememberedApproval(row, state) : undefined
  if (approval !== undefined) {
    const text =
      approval.scope === 'session'
        ? 'A person approved all calls of it in this session.'
        : 'A person approved all calls of it with this definition, for as long as the approval is kept.'
    return [{ seq: approval.seq, text }]
  }
  const thePolicy = permission.by === 'host' && permission.above ? THE_POLICY_ABOVE : 'The policy'
  const ofPolicy = (text: string, list: RuleList, rule: Rule): Reason => ({
    seq: state.policySince,
    text: `${thePolicy} ${text}`,
    ...placeOfRule(list, rule, context),
  })
  const ofDefinition = (): readonly Reason[] => {
    const text = requiresConfirmation
      ? `Its definition asks for a confirmation of ${row.tool?.confirms ? 'the calls that its condition names' : 'each call'}.`
      : 'It is destructive, so it asks a person before a call of the model, unless a rule allows it.'
    return [{ seq: row.claim.since, text }]
  }
  switch (permission.effect) {
    case 'deny':
      return [whyDenied(permission, row, state, context)]
    case 'ask':
      return [
        ofPolicy(`asks first, by the rule: ${describeReason(permission)}.`, 'ask', permission.rule),
      ]
    case 'allow': {
      if (!asksItself) return []
      if (permission.by === 'host') {
        const { rule } = permission
        const text = `lets it run without asking, by the rule: ${describeRule(rule)}.`
        return [ofPolicy(text, 'allow', rule)]
      }
      if (isDestructive) return ofDefinition()
      const { skill } = permission
      const text = `Skill "${skill}" names it in allowed-tools, which this host accepts as approval.`
      return [{ seq: openedAt(skill, state), text, ...listPlace(skill, context) }]
    }
    case null:
      return asksItself ? ofDefinition() : []
  }
}

/**
 * Returns the reason a tool is denied: a rule of the host, or active skills that restrict the
 * session.
 */
export function whyDenied(
  permission: Permission,
  { owner }: Judged,
  state: WorkspaceState,
  context: EngineContext,
): Reason {
  if (permission.by !== 'skill') {
    const seq = state.policySince
    if (permission.by === null) return { seq, text: 'The policy denies it.' }
    const the = permission.above ? THE_POLICY_ABOVE : 'The policy'
    const text = `${the} denies ${describeReason(permission)}.`
    return { seq, text, ...placeOfRule('deny', permission.rule, context) }
  }
  const lists = allowedListsFor(owner, state, context.catalog)
  const skills = lists.map(({ skill }) => `"${skill}"`).join(', ')
  const named = lists.flatMap(({ tools }) => tools.map(({ text }) => text))
  return {
    seq: Math.max(...lists.map(({ skill }) => openedAt(skill, state))),
    text: `While ${skills} ${lists.length === 1 ? 'is' : 'are'} active, only allowed-tools can be called: ${named.join(', ')}.`,
    ...listPlace(permission.skill, context),
  }
}

/**
 * Names the entry of each session above up to which its rules are known, when they could decide about a tool. Those of
 * a session that is open in this process are always known.
 */
export function knownUpTo(
  row: Pick<ToolRow, 'claim' | 'owner' | 'tool' | 'status'>,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const { policyAsOf = [], policySince: since } = state
  const read = policyAsOf.map((one, at) => ({ ...one, level: at + 1 }))
  // Of a session that is open here, the functions of its rules are here as well.
  const older = read.filter(({ level }) => functionsOf(context, level) === undefined)
  if (older.length === 0 || !['available', 'denied', 'blocked-by-mode'].includes(row.status))
    return []
  const { above: _, ...policy } = state.policy
  const own = permissionOf(row, { ...state, policy }, context, null)
  if (own.effect === 'deny' || blockingPolicy(policy, row) !== null) return []
  return older.map(({ session, seq, level }) => {
    const whose =
      level === 1 ? `its parent session "${session}"` : `"${session}", a session above it,`
    const text = `The rules of ${whose} are those as of its entry ${seq}.`
    return { seq: since, text }
  })
}

/** Returns the place of a rule, when this process read it from a file. */
export function placeOfRule(
  list: RuleList,
  rule: Rule,
  { places }: Pick<EngineContext, 'places'>,
): FilePlace | undefined {
  return places?.get(ruleKey(list, rule))
}

/** Returns the place of the `allowed-tools` of a skill, when it was read from a file. */
function listPlace(
  skill: string,
  { catalog }: Pick<EngineContext, 'catalog'>,
): FilePlace | undefined {
  const { path: file, permissionsLine: line } = catalog.skills.get(skill) ?? {}
  return filePlace({ file, line })
}

function openedAt(skill: string, { open, policySince }: WorkspaceState): number {
  const source = open.find((one) => one.source === 'skill' && one.owner === skill)
  return source?.since ?? policySince
}

function rulesForSomeCalls(
  list: RuleList,
  row: Judged,
  { policy, policySince: seq }: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const all = policyChain(policy).flatMap((one) => one[list])
  return all.flatMap((rule) =>
    typeof rule !== 'string' && isAboutCalls(rule) && isAbout(rule, { ...row, source: row.owner })
      ? [{ seq, text: describeCallRule(list, rule), ...placeOfRule(list, rule, context) }]
      : [],
  )
}

/** Names the entries of active skills' lists that pre-approve some calls of a tool. */
function listsForSomeCalls(
  { claim, owner }: Judged,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  if (state.policy.allowedTools !== 'pre-approve' || claim.trusted === false) return []
  return allowedListsFor(owner, state, context.catalog).flatMap(({ skill, tools }) => {
    const some = tools.filter(
      (one) => one.argument !== null && one.calls && isNamedBy(one, { claim, source: owner }),
    )
    if (some.length === 0) return []
    const texts = some.map(({ text }) => text).join(', ')
    const text = `Skill "${skill}" pre-approves some calls, by its allowed-tools: ${texts}.`
    return [{ seq: openedAt(skill, state), text, ...listPlace(skill, context) }]
  })
}

function describeCallRule(list: RuleList, { where, ignoreCase, when }: PermissionRule): string {
  const parts = [
    where !== undefined && `with ${describeRule({ where, ignoreCase })}`,
    when !== undefined && `for which the function "${String(when)}" says so`,
  ]
  const calls = `calls ${parts.filter((part) => part !== false).join(' and ')}`
  switch (list) {
    case 'deny':
      return `The policy denies ${calls}.`
    case 'ask':
      return `The policy asks first before ${calls}.`
    case 'allow':
      return `The policy lets ${calls} run without asking.`
  }
}
