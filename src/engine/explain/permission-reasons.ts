import { describeReason, describeRule } from './describe-rule.ts'
import type { Reason } from './verdict.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { PermissionRule, Rule, RuleList } from '../model/policy.ts'
import { ruleKey } from '../model/stored-rule.ts'
import { type FilePlace, filePlace } from '../../kernel/diagnostic.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import {
  allowedListsFor,
  functionsOf,
  type Permission,
  permissionOf,
} from '../standing/permission.ts'
import { rememberedApproval } from '../standing/remembered-approval.ts'
import { asksFirst, blockingPolicy } from '../standing/tool-status.ts'
import type { CallTerms } from '../standing/call-prospect.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import { isBound } from '../../tools/definition/make-tool.ts'

const THE_POLICY_ABOVE = 'The policy of its parent session'

type Judged = Pick<ToolRow, 'claim' | 'owner' | 'tool'>

/** A tool that the policy was asked about. */
type Permitted = Judged & { readonly permission: Permission }

/**
 * Returns the rule, list or approval that decides about a tool, then the rules and entries for some of its
 * calls.
 */
export function permissionReasons(
  row: Permitted,
  { rules, entries }: CallTerms,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const isPreApproved = state.policy.allowedTools === 'pre-approve' && row.claim.trusted !== false
  const bySkill = Map.groupBy(isPreApproved ? entries : [], ({ skill }) => skill)
  return [
    ...whyPermitted(row, state, context),
    ...rules.map(({ list, rule }) => ({
      seq: state.policySince,
      text: describeCallRule(list, rule),
      ...placeOfRule(list, rule, context),
    })),
    ...Array.from(bySkill, ([skill, some]) => ({
      seq: openedAt(skill, state),
      text: `Skill "${skill}" pre-approves some calls, by its allowed-tools: ${some.map(({ text }) => text).join(', ')}.`,
      ...listPlace(skill, context),
    })),
  ]
}

function whyPermitted(
  row: Permitted,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const { permission } = row
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
      ? `Its definition asks for a confirmation of ${isConditional(row, state) ? 'the calls that its condition names' : 'each call'}.`
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

/** Returns true for a tool with a condition: here or, in a process without its handler, by the log. */
function isConditional({ tool, claim }: Judged, { used }: WorkspaceState): boolean {
  if (tool?.confirms !== undefined || isBound(tool)) return tool?.confirms !== undefined
  // Earlier logs have only the answers of conditions.
  const answered = used.some((one) => one.tool === claim.name && one.conditional === claim.hash)
  return claim.conditional === true || answered
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
  if (permission.taken !== undefined) {
    const text = `Skill "${permission.skill}" takes it away while it is active, by its disallowed-tools: ${permission.taken}.`
    const { path: file } = context.catalog.skills.get(permission.skill) ?? {}
    return { seq: openedAt(permission.skill, state), text, ...filePlace({ file, line: undefined }) }
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
