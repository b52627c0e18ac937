import { describeRule } from './describe-event.ts'
import type { Reason } from './explanation.ts'
import type { Approval } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { RuleList } from '../model/policy.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { allowedListsFor, isAbout, permissionOf } from '../standing/permission.ts'
import { rememberedApproval } from '../standing/remembered-approval.ts'
import type { ToolRow } from '../standing/tool-table.ts'

type Judged = Pick<ToolRow, 'claim' | 'owner' | 'tool'>

/** What permission says of a tool, by the rule that says it, and what it says of some calls only. */
export function permissionReasons(
  row: Judged,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  return [
    ...decided(row, state, context),
    ...(['deny', 'ask', 'allow'] as const).flatMap((list) => ofSomeCalls(list, row, state)),
  ]
}

/** Why a tool is denied: by a rule of the host, or because active skills restrict the session. */
export function whyDenied(row: Judged, state: WorkspaceState, context: EngineContext): Reason {
  const judgement = permissionOf(row, state, context, null)
  return judgement.by === 'skill'
    ? restrictedBy(row, state, context)
    : { seq: state.policySince, text: `The policy denies ${describeJudged(judgement)}.` }
}

function decided(row: Judged, state: WorkspaceState, context: EngineContext): readonly Reason[] {
  const seq = state.policySince
  const judgement = permissionOf(row, state, context, null)
  const asksItself = row.tool?.requiresConfirmation === true
  const asks = judgement.effect === 'ask' || (judgement.effect === null && asksItself)
  const approval = asks ? rememberedApproval(row, state) : undefined
  if (approval !== undefined) return [{ seq: approval.seq, text: approved(approval) }]
  switch (judgement.effect) {
    case 'deny':
      return [whyDenied(row, state, context)]
    case 'ask':
      return [{ seq, text: `The policy asks first, by the rule: ${describeRule(judgement.rule)}.` }]
    case 'allow':
      if (!asksItself) return []
      return judgement.by === 'host'
        ? [
            {
              seq,
              text: `The policy lets it run without asking, by the rule: ${describeRule(judgement.rule)}.`,
            },
          ]
        : [{ seq: since(judgement.skill, state), text: preApproved(judgement.skill) }]
    case null:
      return asksItself
        ? [{ seq: row.claim.since, text: 'Its definition asks for a confirmation of each call.' }]
        : []
  }
}

function approved({ scope }: Approval): string {
  return scope === 'session'
    ? 'A person approved every call of it in this session, so that nothing asks first.'
    : 'A person approved every call of it at this definition, so that nothing asks while the approval is kept.'
}

function preApproved(skill: string): string {
  return `Skill "${skill}" names it in allowed-tools, and the host takes that for an approval.`
}

function describeJudged(judgement: ReturnType<typeof permissionOf>): string {
  return judgement.by === 'host' ? describeRule(judgement.rule) : ''
}

function restrictedBy(
  { owner }: Judged,
  state: WorkspaceState,
  { catalog }: EngineContext,
): Reason {
  const lists = allowedListsFor(owner, state, catalog)
  const skills = lists.map(({ skill }) => `"${skill}"`).join(', ')
  const named = lists.flatMap(({ tools }) => tools.map(({ text }) => text))
  return {
    seq: Math.max(...lists.map(({ skill }) => since(skill, state))),
    text: `While ${skills} ${lists.length === 1 ? 'is' : 'are'} active, only allowed-tools can be called: ${named.join(', ')}.`,
  }
}

function since(skill: string, { open, policySince }: WorkspaceState): number {
  const source = open.find((one) => one.source === 'skill' && one.owner === skill)
  return source?.since ?? policySince
}

const OF_CALLS: Readonly<Record<RuleList, string>> = {
  deny: 'denies calls with',
  ask: 'asks first before calls with',
  allow: 'lets run without asking calls with',
}

function ofSomeCalls(list: RuleList, row: Judged, state: WorkspaceState): readonly Reason[] {
  return state.policy[list].flatMap((rule) =>
    typeof rule !== 'string' &&
    rule.where !== undefined &&
    isAbout(rule, { ...row, source: row.owner })
      ? [
          {
            seq: state.policySince,
            text: `The policy ${OF_CALLS[list]} ${describeRule({ where: rule.where })}.`,
          },
        ]
      : [],
  )
}
