import type { Catalog } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { PermissionRule, Policy, Rule, RuleList, WhereMatches } from '../model/policy.ts'
import { type Claim, isMeta, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { skillHasChanged } from './assess-skill.ts'
import { matchesPattern } from '../../kernel/matches-pattern.ts'
import type { RiskLevel, Tool } from '../../tools/definition/tool.ts'

/** A tool by who registers it; `ToolRow` is one. */
interface JudgedTool {
  readonly claim: Pick<Claim, 'name' | 'definedAs' | 'trusted'>
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  readonly tool: Tool | undefined
}

/**
 * What the policy of a state says of a tool, or of a call of it.
 *
 * @param where of a call, the rules whose `where` holds for its arguments; null for the tool itself,
 *   which no rule about arguments keeps from being shown
 */
export function permissionOf(
  { claim, owner, tool }: JudgedTool,
  state: Pick<WorkspaceState, 'open' | 'policy'>,
  { catalog }: Pick<EngineContext, 'catalog'>,
  where: WhereMatches | null,
): Permission {
  return judgePermission(state.policy, {
    claim,
    source: owner,
    tool,
    isMeta: isMeta(owner),
    lists: allowedListsFor(owner, state, catalog),
    where,
  })
}

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
export type Permission =
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
export function judgePermission(policy: Policy, facts: PermissionFacts): Permission {
  const host = (effect: RuleList): Permission | null => {
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
  if (typeof rule === 'string') return matchingPattern([rule], claim) !== undefined
  if (!isAbout(rule, facts)) return false
  return rule.where === undefined || (where?.[list].includes(place) ?? false)
}

/** Whether a rule is about a tool, whatever its arguments are. */
export function isAbout(
  { tool: pattern, skill, source: from, risk }: PermissionRule,
  { claim, source, tool }: Pick<PermissionFacts, 'claim' | 'source' | 'tool'>,
): boolean {
  if (pattern !== undefined && matchingPattern([pattern], claim) === undefined) return false
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
): Permission | null {
  if (allowedTools !== 'restrict' || isMeta) return null
  const isNamed = ({ tools, isWhole }: AllowedList) =>
    isWhole && tools.some(({ pattern }) => matchingPattern([pattern], claim) !== undefined)
  const last = lists.at(-1)
  if (last === undefined || lists.some(isNamed)) return null
  return { effect: 'deny', by: 'skill', skill: last.skill }
}

function preApproved(
  { allowedTools }: Policy,
  { claim, isMeta, lists }: PermissionFacts,
): Permission | null {
  if (allowedTools !== 'pre-approve' || isMeta || claim.trusted === false) return null
  const list = lists.find(
    ({ tools, isWhole }) =>
      isWhole &&
      tools.some(({ pattern, argument }) => argument === null && matchingPattern([pattern], claim)),
  )
  return list === undefined ? null : { effect: 'allow', by: 'skill', skill: list.skill }
}

/**
 * The risk that rules go by. What a source that the host does not trust says of its own tools is not
 * believed where it would lower the risk, so such a tool counts as `moderate` at least; and so does
 * one whose definition nobody has.
 */
function riskOf(
  { trusted }: Pick<Claim, 'trusted'>,
  tool: Pick<Tool, 'risk'> | undefined,
): RiskLevel {
  const told = tool?.risk ?? 'moderate'
  return trusted === false && told === 'safe' ? 'moderate' : told
}

/**
 * The first pattern of a policy that covers a tool: by the name it goes by, or by the one in its
 * definition, since a rule about `refund` must hold for it as `billing__refund`, too.
 */
export function matchingPattern(
  patterns: readonly string[],
  { name, definedAs }: Pick<Claim, 'name' | 'definedAs'>,
): string | undefined {
  return patterns.find((one) => matchesPattern(one, name) || matchesPattern(one, definedAs))
}

/** What an active skill names in its `allowed-tools`. */
export interface AllowedList {
  readonly skill: string
  readonly tools: readonly AllowedTool[]
  /** The skill is as the session activated it: only then does its list let anything through. */
  readonly isWhole: boolean
}

const NONE: readonly AllowedList[] = []

const memo = new WeakMap<
  WorkspaceState['open'],
  { readonly catalog: Catalog; readonly lists: readonly AllowedList[] }
>()

/** The lists of the active skills that have one, in the order they came; none where they are ignored. */
function allowedLists(
  { open, policy }: Pick<WorkspaceState, 'open' | 'policy'>,
  catalog: Catalog,
): readonly AllowedList[] {
  if (policy.allowedTools === 'ignore') return NONE
  const known = memo.get(open)
  if (known?.catalog === catalog) return known.lists
  const lists = open.flatMap((source) => listOf(source, catalog) ?? [])
  memo.set(open, { catalog, lists })
  return lists
}

/**
 * The lists that count for a tool: those of the active skills, and the one of its own skill, since a
 * tool of a skill that is not active is judged as if the skill were.
 */
export function allowedListsFor(
  { source, owner }: Pick<OpenSource, 'source' | 'owner'>,
  state: Pick<WorkspaceState, 'open' | 'policy'>,
  catalog: Catalog,
): readonly AllowedList[] {
  const lists = allowedLists(state, catalog)
  if (state.policy.allowedTools === 'ignore' || source !== 'skill') return lists
  if (lists.some(({ skill }) => skill === owner)) return lists
  const own = allowedListOf(owner, catalog)
  return own === null ? lists : [...lists, own]
}

/** The list a skill has, were it active as the catalog has it now; null without one. */
export function allowedListOf(skill: string, { skills }: Catalog): AllowedList | null {
  const permissions = skills.get(skill)?.permissions ?? []
  if (permissions.length === 0) return null
  return { skill, tools: permissions.map(readAllowedTool), isWhole: true }
}

function listOf(source: OpenSource, catalog: Catalog): AllowedList | null {
  const list = source.source === 'skill' ? allowedListOf(source.owner, catalog) : null
  return list === null || !skillHasChanged(source, catalog) ? list : { ...list, isWhole: false }
}

/** One entry of a skill's `allowed-tools`. */
interface AllowedTool {
  /** As it was written. */
  readonly text: string
  /** Pattern of a tool's name. */
  readonly pattern: string
  /** What it says of the arguments, as clients write it: `git:*` of `Bash(git:*)`; null for any. */
  readonly argument: string | null
}

/** Read one entry of `allowed-tools`: a name or pattern, with or without an argument in brackets. */
export function readAllowedTool(text: string): AllowedTool {
  const open = text.indexOf('(')
  if (open < 0 || !text.endsWith(')')) return { text, pattern: text, argument: null }
  return { text, pattern: text.slice(0, open), argument: text.slice(open + 1, -1) }
}

/** The entries of an `allowed-tools` that name no tool there is, registered or in the catalog. */
export function unmatchedAllowedTools(
  tools: readonly AllowedTool[],
  { open }: Pick<WorkspaceState, 'open'>,
  { catalog }: Pick<EngineContext, 'catalog'>,
): readonly AllowedTool[] {
  const named = [...catalog.bringers.keys(), ...catalog.sharedTools.keys()]
  const known = [
    ...open.flatMap(({ claims }) => claims),
    ...named.map((name) => ({ name, definedAs: name })),
  ]
  return tools.filter(
    ({ pattern }) => !known.some((one) => matchingPattern([pattern], one) !== undefined),
  )
}
