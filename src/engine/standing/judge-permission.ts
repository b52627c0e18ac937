import { matchesPattern } from '../../kernel/matches-pattern.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { AllowedList } from './allowed-lists.ts'
import { covers } from './covers.ts'
import type { Claim } from '../model/source-event.ts'
import type { PermissionRule, Rule } from '../model/permission-rule.ts'
import type { Policy } from '../model/policy.ts'
import { riskOf } from './risk-of.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { RuleList, WhereMatches } from './where-matches.ts'

/** What permission is judged by. */
export interface PermissionFacts {
  readonly claim: Pick<Claim, 'name' | 'definedAs' | 'trusted'>
  readonly source: Pick<OpenSource, 'source' | 'owner'>
  readonly tool: Pick<Tool, 'risk'> | undefined
  readonly isMeta: boolean
  /** What active skills name in their `allowed-tools`, where that has an effect. */
  readonly lists: readonly AllowedList[]
  /**
   * The rules whose `where` holds for the call; null where there is no call, so that rules which look
   * at arguments say nothing yet.
   */
  readonly where: WhereMatches | null
}

/** What permission says, and what decided it: a rule of the host, or a skill's list. */
export type PermissionJudgement =
  | { readonly effect: 'deny' | 'ask' | 'allow'; readonly by: 'host'; readonly rule: Rule }
  /** Denied by a list that does not name it, or let through by one that does. */
  | { readonly effect: 'deny' | 'allow'; readonly by: 'skill'; readonly skill: string }
  /** Nothing is said of it: the definition decides whether it is asked about. */
  | { readonly effect: null; readonly by: null }

/**
 * Judge a tool, or a call of it, by the host's rules: `deny`, then `ask`, then `allow`.
 *
 * What skills name in `allowed-tools` stands behind every rule of the host but one: a restriction takes
 * effect before `ask` and `allow`, since it only takes away. It never touches meta-tools, without which
 * the skill could not be put away; of several lists one is enough, or two skills could have nothing
 * but each other's tools refused. A pre-approval counts only for tools of sources the host trusts,
 * and only where the entry says nothing of arguments, which are the client's to understand.
 */
export function judgePermission(policy: Policy, facts: PermissionFacts): PermissionJudgement {
  const host = (effect: RuleList): PermissionJudgement | null => {
    const rule = policy[effect].find((one, place) => isMet(one, place, effect, facts))
    return rule === undefined ? null : { effect, by: 'host', rule }
  }
  return (
    host('deny') ??
    restricted(policy, facts) ??
    host('ask') ??
    host('allow') ??
    preApproved(policy, facts) ?? { effect: null, by: null }
  )
}

function isMet(rule: Rule, place: number, list: RuleList, facts: PermissionFacts): boolean {
  const { claim, where } = facts
  if (typeof rule === 'string') return covers([rule], claim) !== undefined
  if (!isAbout(rule, facts)) return false
  return rule.where === undefined || (where?.[list].includes(place) ?? false)
}

/** Whether a rule is about a tool, whatever its arguments are. */
export function isAbout(
  { tool: pattern, skill, source: from, risk }: PermissionRule,
  { claim, source, tool }: Pick<PermissionFacts, 'claim' | 'source' | 'tool'>,
): boolean {
  if (pattern !== undefined && covers([pattern], claim) === undefined) return false
  if (skill !== undefined && !(source.source === 'skill' && matchesPattern(skill, source.owner))) {
    return false
  }
  const kinds = [source.source, `${source.source}:${source.owner}`]
  if (from !== undefined && !kinds.some((kind) => matchesPattern(from, kind))) return false
  return risk === undefined || [risk].flat().includes(riskOf(claim, tool))
}

function restricted(
  { allowedTools }: Policy,
  { claim, isMeta, lists }: PermissionFacts,
): PermissionJudgement | null {
  if (allowedTools !== 'restrict' || isMeta) return null
  const isNamed = ({ tools, isWhole }: AllowedList) =>
    isWhole && tools.some(({ pattern }) => covers([pattern], claim) !== undefined)
  const last = lists.at(-1)
  if (last === undefined || lists.some(isNamed)) return null
  return { effect: 'deny', by: 'skill', skill: last.skill }
}

function preApproved(
  { allowedTools }: Policy,
  { claim, isMeta, lists }: PermissionFacts,
): PermissionJudgement | null {
  if (allowedTools !== 'pre-approve' || isMeta || claim.trusted === false) return null
  const list = lists.find(
    ({ tools, isWhole }) =>
      isWhole &&
      tools.some(({ pattern, argument }) => argument === null && covers([pattern], claim)),
  )
  return list === undefined ? null : { effect: 'allow', by: 'skill', skill: list.skill }
}
