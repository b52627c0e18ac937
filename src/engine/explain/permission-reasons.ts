import { describeReason, describeRule } from './describe-rule.ts'
import type { Reason } from './explanation.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { PermissionRule, RuleList } from '../model/policy.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import {
  allowedListsFor,
  isAbout,
  type Permission,
  permissionOf,
  policyChain,
} from '../standing/permission.ts'
import { isNamedBy } from '../standing/allowed-tool.ts'
import { rememberedApproval } from '../standing/remembered-approval.ts'
import { asksFirst } from '../standing/tool-status.ts'
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
    ...(['deny', 'ask', 'allow'] as const).flatMap((list) => rulesForSomeCalls(list, row, state)),
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
  const ofPolicy = (text: string): Reason => ({
    seq: state.policySince,
    text: `${thePolicy} ${text}`,
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
      return [ofPolicy(`asks first, by the rule: ${describeReason(permission)}.`)]
    case 'allow': {
      if (!asksItself) return []
      if (permission.by === 'host') {
        const rule = describeRule(permission.rule)
        return [ofPolicy(`lets it run without asking, by the rule: ${rule}.`)]
      }
      if (isDestructive) return ofDefinition()
      const { skill } = permission
      const text = `Skill "${skill}" names it in allowed-tools, which this host accepts as approval.`
      return [{ seq: openedAt(skill, state), text }]
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
  { catalog }: EngineContext,
): Reason {
  if (permission.by !== 'skill') {
    const rule = permission.by === 'host' ? describeReason(permission) : ''
    const the = permission.by === 'host' && permission.above ? THE_POLICY_ABOVE : 'The policy'
    return { seq: state.policySince, text: `${the} denies ${rule}.` }
  }
  const lists = allowedListsFor(owner, state, catalog)
  const skills = lists.map(({ skill }) => `"${skill}"`).join(', ')
  const named = lists.flatMap(({ tools }) => tools.map(({ text }) => text))
  return {
    seq: Math.max(...lists.map(({ skill }) => openedAt(skill, state))),
    text: `While ${skills} ${lists.length === 1 ? 'is' : 'are'} active, only allowed-tools can be called: ${named.join(', ')}.`,
  }
}

function openedAt(skill: string, { open, policySince }: WorkspaceState): number {
  const source = open.find((one) => one.source === 'skill' && one.owner === skill)
  return source?.since ?? policySince
}

function rulesForSomeCalls(
  list: RuleList,
  row: Judged,
  { policy, policySince: seq }: WorkspaceState,
): readonly Reason[] {
  const all = policyChain(policy).flatMap((one) => one[list])
  return all.flatMap((rule) =>
    typeof rule !== 'string' && isAboutCalls(rule) && isAbout(rule, { ...row, source: row.owner })
      ? [{ seq, text: describeCallRule(list, rule) }]
      : [],
  )
}

/** Names the entries of active skills' lists that pre-approve some calls of a tool. */
function listsForSomeCalls(
  { claim, owner }: Judged,
  state: WorkspaceState,
  { catalog }: EngineContext,
): readonly Reason[] {
  if (state.policy.allowedTools !== 'pre-approve' || claim.trusted === false) return []
  return allowedListsFor(owner, state, catalog).flatMap(({ skill, tools }) => {
    const some = tools.filter(
      (one) => one.argument !== null && one.calls && isNamedBy(one, { claim, source: owner }),
    )
    if (some.length === 0) return []
    const texts = some.map(({ text }) => text).join(', ')
    const text = `Skill "${skill}" pre-approves some calls, by its allowed-tools: ${texts}.`
    return [{ seq: openedAt(skill, state), text }]
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
