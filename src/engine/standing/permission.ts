import type { Catalog } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type {
  HostReason,
  PermissionRule,
  Policy,
  Rule,
  RuleList,
  WhereMatches,
} from '../model/policy.ts'
import { type Claim, isMeta, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { skillHasChanged } from './assess-skill.ts'
import { type AllowedTool, isCallOf, isNamedBy, readAllowedTool } from './allowed-tool.ts'
import { isAboutCalls, unseenWhere } from './where-matches.ts'
import { foldCase, matchesPattern } from '../../kernel/matches-pattern.ts'
import { entryAgainst } from '../../skills/tool-of-client.ts'
import { matchesTool, namesItsServer } from '../../tools/definition/matches-tool.ts'
import type { RiskLevel, Tool } from '../../tools/definition/tool.ts'

/** A tool with its owner; a `ToolRow` is one. */
interface JudgedTool {
  readonly claim: Pick<Claim, 'name' | 'definedAs' | 'nameOnServer' | 'trusted'>
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  readonly tool: Tool | undefined
}

/**
 * Returns the permission that a policy gives to a tool, or to one call of it.
 *
 * @param where for a call, the rules whose `where` matches its arguments; null for the tool itself,
 *   to which rules about arguments do not apply
 */
export function permissionOf(
  { claim, owner, tool }: JudgedTool,
  state: Pick<WorkspaceState, 'open' | 'policy'>,
  context: Pick<EngineContext, 'catalog' | 'handlers' | 'functions' | 'functionsAbove'>,
  where: WhereMatches | null,
): Permission {
  const permission = judgePermission(state.policy, {
    claim,
    source: owner,
    tool,
    isMeta: isMeta(owner),
    lists: allowedListsFor(owner, state, context.catalog),
    where,
    // A view of another process's session has the functions of nobody, and judges as that process did.
    lacks: (name, level) =>
      context.handlers === 'here' && functionsOf(context, level)?.has(name) !== true,
  })
  if (permission.effect === 'deny' || isMeta(owner)) return permission
  // What an active skill takes away, no rule gives back.
  for (const { source, owner: skill } of state.open) {
    const { disallowedTools } = (source === 'skill' && context.catalog.skills.get(skill)) || {}
    const taken = disallowedTools && entryAgainst(disallowedTools, claim, owner)
    if (taken !== undefined) return { effect: 'deny', by: 'skill', skill, taken }
  }
  return permission
}

/**
 * Returns the functions of permission rules that this process has.
 *
 * @param level 0 for those of the session, 1 for those of its parent, and so on
 */
export function functionsOf(
  { functions, functionsAbove }: Pick<EngineContext, 'functions' | 'functionsAbove'>,
  level: number,
): EngineContext['functions'] {
  return level === 0 ? functions : functionsAbove?.(level - 1)
}

/** The facts that a permission depends on. */
export interface PermissionFacts {
  readonly claim: Pick<Claim, 'name' | 'definedAs' | 'nameOnServer' | 'trusted'>
  readonly source: Pick<OpenSource, 'source' | 'owner'>
  readonly tool: Pick<Tool, 'risk'> | undefined
  readonly isMeta: boolean
  /** The `allowed-tools` of active skills, when they have an effect. */
  readonly lists: readonly AllowedList[]
  /**
   * The rules whose `where` matches the call; null without a call: rules about arguments do not
   * apply yet.
   */
  readonly where: WhereMatches | null
  /**
   * Returns true for the name of a function that this process should have, and does not.
   *
   * @param level the policy with the rule: 0 for that of the session, 1 for that of its parent, and so on
   */
  lacks?(name: string, level: number): boolean
}

/** The decision about a tool, with its origin: a rule of the host, or a skill's list. */
export type Permission =
  | ({
      readonly effect: 'deny' | 'ask' | 'allow'
      readonly by: 'host'
      /** The rule is one of a session above, whose child this session is. */
      readonly above?: true
    } & HostReason)
  /** Denied by a list that does not name the tool, or allowed by one that does. */
  | {
      readonly effect: 'deny' | 'allow'
      readonly by: 'skill'
      readonly skill: string
      /** The entry of `disallowed-tools` that takes the tool away. */
      readonly taken?: string
    }
  /** No rule applies: the definition decides whether a person is asked. */
  | { readonly effect: null; readonly by: null }

/** The reason why a rule counts although nothing answered for it. */
export function functionMissing(name: string): string {
  return `this process has no function "${name}"`
}

/** Returns a policy and those of the sessions above it. */
export function policyChain(policy: Policy): readonly Policy[] {
  return policy.above === undefined ? [policy] : [policy, ...policy.above]
}

/** Returns how much a permission lets run, from 0. Pre-approval by a skill covers no destructive tool. */
function looseness({ effect, by }: Permission): number {
  switch (effect) {
    case 'deny':
      return 0
    case 'ask':
      return 1
    case null:
      return 2
    case 'allow':
      return by === 'skill' ? 3 : 4
  }
}

/**
 * Judges a tool, or a call of it, by the policy of a session and by those of the sessions above it. The
 * strictest answer counts, so a child session may do nothing that its parent may not, and runs a call without
 * asking only where each of them does.
 */
export function judgePermission(policy: Policy, facts: PermissionFacts): Permission {
  const own = judgeByOne(policy, facts, 0)
  const above = (policy.above ?? []).map((one, place): Permission => {
    const { allowed = [], above: others } = facts.where ?? {}
    const where = facts.where && { ...(others?.[place] ?? unseenWhere(one)), allowed }
    const permission = judgeByOne(one, { ...facts, where }, place + 1)
    return permission.by === 'host' ? { ...permission, above: true } : permission
  })
  return above.reduce((a, b) => (looseness(b) < looseness(a) ? b : a), own)
}

/**
 * Judges a tool, or a call of it, by the host's rules: `deny`, then `ask`, then `allow`.
 *
 * The `allowed-tools` of skills come after all rules of the host, with one exception: a restriction
 * applies before `ask` and `allow`, because it only takes away. It never applies to meta-tools,
 * because the model needs them to deactivate the skill. With several lists, a tool that one of them
 * names is allowed; otherwise two skills would block each other's tools. A pre-approval applies
 * only to tools of sources the host trusts. An entry with arguments that cannot be judged means no call.
 */
function judgeByOne(policy: Policy, facts: PermissionFacts, level: number): Permission {
  const host = (effect: RuleList): Permission | null => {
    const rule = policy[effect].find((one, place) =>
      isMet(one, { place, list: effect, level }, facts),
    )
    if (rule === undefined) return null
    const because = reasonOf(rule, effect, facts)
    return { effect, by: 'host', rule, ...(because !== undefined && { because }) }
  }
  return (
    host('deny') ??
    restricted(policy, facts) ??
    host('ask') ??
    host('allow') ??
    preApproved(policy, facts) ?? { effect: null, by: null }
  )
}

/** The place of a rule in a list of a policy. */
interface RulePlace {
  readonly place: number
  readonly list: RuleList
  readonly level: number
}

function isMet(rule: Rule, { place, list, level }: RulePlace, facts: PermissionFacts): boolean {
  const { claim, source, where, lacks } = facts
  const named = typeof rule === 'string' ? rule : rule.source === undefined ? rule.tool : undefined
  if (list === 'allow' && named !== undefined && !namesItsServer(named, claim, source)) return false
  if (typeof rule === 'string') return matchesTool(rule, claim, source)
  if (!isAbout(rule, facts)) return false
  if (!isAboutCalls(rule)) return true
  if (where !== null) return where[list].includes(place)
  // Without its function, a rule without `where` holds for all calls.
  return (
    list !== 'allow' && rule.where === undefined && (lacks?.(String(rule.when), level) ?? false)
  )
}

/** Another process changed the rules after the functions were asked about the call. */
const NOT_ASKED = 'the rule is newer than the check of this call, so its function was not asked'

function reasonOf(rule: Rule, list: RuleList, { where }: PermissionFacts): string | undefined {
  if (typeof rule === 'string' || typeof rule.when !== 'string') return undefined
  const { when } = rule
  if (where === null) return functionMissing(when)
  const answer = where.answers?.find((one) => one.list === list && one.when === when)
  return answer === undefined ? NOT_ASKED : answer.because
}

/** Returns true when a rule is about a tool, whatever its arguments are. */
export function isAbout(
  { tool: pattern, skill, source: from, risk, ignoreCase = false }: PermissionRule,
  { claim, source, tool }: Pick<PermissionFacts, 'claim' | 'source' | 'tool'>,
): boolean {
  const isOne = (wanted: string, names: readonly string[]) =>
    names.some((name) =>
      ignoreCase ? matchesPattern(foldCase(wanted), foldCase(name)) : matchesPattern(wanted, name),
    )
  if (pattern !== undefined && !matchesTool(pattern, claim, source, ignoreCase)) return false
  if (skill !== undefined && !(source.source === 'skill' && isOne(skill, [source.owner]))) {
    return false
  }
  const kinds = [source.source, `${source.source}:${source.owner}`]
  if (from !== undefined && !isOne(from, kinds)) return false
  return risk === undefined || [risk].flat().includes(riskOf(claim, tool))
}

/**
 * The risk that rules compare. An untrusted source cannot lower the risk of its own tools, so such
 * a tool counts as `moderate` at least. So does a tool without a known definition.
 */
function riskOf(
  { trusted }: Pick<Claim, 'trusted'>,
  tool: Pick<Tool, 'risk'> | undefined,
): RiskLevel {
  const declared = tool?.risk ?? 'moderate'
  return trusted === false && declared === 'safe' ? 'moderate' : declared
}

function restricted({ allowedTools }: Policy, facts: PermissionFacts): Permission | null {
  const { isMeta, lists, where } = facts
  if (allowedTools !== 'restrict' || isMeta) return null
  // Without a call, a tool that some calls may be made of is not denied.
  const isNamed = ({ tools, isUnchanged }: AllowedList) =>
    isUnchanged &&
    tools.some(
      (one) => isAllowed(one, facts) || (where === null && one.calls && isNamedBy(one, facts)),
    )
  const last = lists.at(-1)
  if (last === undefined || lists.some(isNamed)) return null
  return { effect: 'deny', by: 'skill', skill: last.skill }
}

function preApproved({ allowedTools }: Policy, facts: PermissionFacts): Permission | null {
  const { claim, isMeta, lists } = facts
  if (allowedTools !== 'pre-approve' || isMeta || claim.trusted === false) return null
  const list = lists.find(
    ({ tools, isUnchanged }) => isUnchanged && tools.some((one) => isAllowed(one, facts)),
  )
  return list === undefined ? null : { effect: 'allow', by: 'skill', skill: list.skill }
}

/** Returns true when an entry means all calls of a tool, or the call that is judged. */
function isAllowed(entry: AllowedTool, facts: PermissionFacts): boolean {
  if (!isNamedBy(entry, facts)) return false
  return entry.calls?.kind === 'all' || (facts.where?.allowed?.includes(entry.text) ?? false)
}

/**
 * Returns the entries of skills' lists with arguments that mean one call of a tool, as texts.
 *
 * @param forms the arguments of the call, in each form that rules look at
 */
export function allowedEntries(
  row: Pick<JudgedTool, 'owner'> & {
    readonly claim: Pick<Claim, 'name' | 'definedAs' | 'nameOnServer'>
  },
  state: Pick<WorkspaceState, 'open' | 'policy'>,
  { catalog }: Pick<EngineContext, 'catalog'>,
  forms: readonly unknown[],
): readonly string[] {
  const entries = allowedListsFor(row.owner, state, catalog).flatMap(({ tools }) => tools)
  const named = entries.filter((one) => isNamedBy(one, { claim: row.claim, source: row.owner }))
  return named
    .filter((one) => one.argument !== null && isCallOf(one, forms))
    .map(({ text }) => text)
}

/** The entries of an active skill's `allowed-tools`. */
export interface AllowedList {
  readonly skill: string
  readonly tools: readonly AllowedTool[]
  /** The skill is unchanged since its activation; otherwise its list allows nothing. */
  readonly isUnchanged: boolean
}

const NONE: readonly AllowedList[] = []

/** Returns true when the `allowed-tools` of skills have no effect. */
export function ignoresLists({ allowedTools, above = [] }: Policy): boolean {
  return allowedTools === 'ignore' && above.every((one) => one.allowedTools === 'ignore')
}

const listsMemo = new WeakMap<
  WorkspaceState['open'],
  { readonly catalog: Catalog; readonly lists: readonly AllowedList[] }
>()

/**
 * Returns the lists that apply to a tool: those of the active skills, in order of activation, and that of its own skill;
 * none when lists are ignored. A tool of an inactive skill is judged as if the skill were active.
 */
export function allowedListsFor(
  { source, owner }: Pick<OpenSource, 'source' | 'owner'>,
  { open, policy }: Pick<WorkspaceState, 'open' | 'policy'>,
  catalog: Catalog,
): readonly AllowedList[] {
  if (ignoresLists(policy)) return NONE
  const known = listsMemo.get(open)
  const isKnown = known?.catalog === catalog
  const lists = isKnown ? known.lists : open.flatMap((one) => listOf(one, catalog) ?? [])
  if (!isKnown) listsMemo.set(open, { catalog, lists })
  if (source !== 'skill') return lists
  if (lists.some(({ skill }) => skill === owner)) return lists
  const own = allowedListOf(owner, catalog)
  return own === null ? lists : [...lists, own]
}

/** Returns the list that a skill has in the catalog; null without one. */
export function allowedListOf(skill: string, { skills }: Catalog): AllowedList | null {
  const permissions = skills.get(skill)?.permissions ?? []
  if (permissions.length === 0) return null
  return { skill, tools: permissions.map(readAllowedTool), isUnchanged: true }
}

function listOf(source: OpenSource, catalog: Catalog): AllowedList | null {
  const list = source.source === 'skill' ? allowedListOf(source.owner, catalog) : null
  return list === null || !skillHasChanged(source, catalog) ? list : { ...list, isUnchanged: false }
}

/** Returns true when a function decides about calls of a session, in its rules or in those of a session above it. */
export function hasFunctions({ policy }: Pick<WorkspaceState, 'policy'>): boolean {
  for (const { deny, ask, allow } of policyChain(policy)) {
    for (const rule of [...deny, ...ask, ...allow]) {
      if (typeof rule !== 'string' && rule.when !== undefined) return true
    }
  }
  return false
}
