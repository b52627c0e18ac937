import * as z from 'zod'
import { isObject } from '../../kernel/json-value.ts'
import { META_OWNER, ToolSource } from './source-event.ts'
import { type ModeLimits, OPEN_LIMITS } from './modes.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { foldCase, matchesPattern } from '../../kernel/matches-pattern.ts'
import type { CheckContext } from '../../tools/definition/tool-context.ts'
import { type Impossible, impossiblePattern } from '../../tools/definition/matches-tool.ts'
import type { RiskLevel } from '../../tools/definition/tool.ts'

/**
 * The effect of a skill's `allowed-tools` while the skill is active. `pre-approve`: the tools it
 * names run without asking, even if their definitions require confirmation. `restrict`: no other
 * tools can be called.
 */
export type AllowedToolsEffect = 'ignore' | 'pre-approve' | 'restrict'

/**
 * The host's rules and limits for a session. They are in the log, because they decide what a model
 * could do at each moment.
 *
 * `deny` overrides `ask`, which overrides `allow`, which overrides `requiresConfirmation` of a
 * definition, whatever the order and however specific a rule is.
 */
export interface Policy {
  readonly mode: string
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
  /**
   * Run without asking, although the definition requires confirmation. Denied tools stay denied.
   */
  readonly allow: readonly Rule[]
  readonly allowedTools: AllowedToolsEffect
  /** The limits of the mode, with `callsPerTurn` of the host in place of the mode's. */
  readonly limits: ModeLimits
  /** The host's own limits, which also apply after a change of the mode. */
  readonly callsPerTurn?: ModeLimits['callsPerTurn']
  /**
   * For a child session: the policies of its parent, its parent's parent and so on, as the child knows them. A
   * call is judged by each policy, and the strictest answer counts.
   */
  readonly above?: readonly Policy[]
  /**
   * True when the process that set it was not given what the session allows, since its user did not allow it. Such a
   * change keeps what each other process knows the session to allow.
   */
  readonly withheld?: true
}

/** Returns a policy without what lets calls run unasked: rules that allow, and pre-approval by skills. */
export function withoutAllowing(policy: Policy): Policy {
  const { allowedTools, withheld: _, ...others } = policy
  return {
    ...others,
    allow: [],
    allowedTools: allowedTools === 'pre-approve' ? 'ignore' : allowedTools,
  }
}

/** The policy of a session for which nothing was chosen: it is in `text`, without the limits of that mode. */
export const OPEN_POLICY: Policy = {
  mode: 'text',
  deny: [],
  ask: [],
  allow: [],
  allowedTools: 'ignore',
  limits: OPEN_LIMITS,
}

/**
 * The subject of a permission rule. All fields that are given must match; a rule without fields
 * matches every tool. In patterns `*` matches any text, and all other characters match themselves.
 */
export interface PermissionRule {
  /** Pattern of the tool's name, as registered or as in its definition. */
  readonly tool?: string | undefined
  /** Pattern of the skill that brings it. Tools that no skill brings do not match. */
  readonly skill?: string | undefined
  /**
   * Pattern of the source, `skill`, `component` or `global`, or of source and owner:
   * `component:cart`.
   */
  readonly source?: string | undefined
  /** The risk level of the tool, or several. */
  readonly risk?: RiskLevel | readonly RiskLevel[] | undefined
  /**
   * Dotted paths into the arguments of a call, each with a pattern for the value there: a text is
   * matched directly, other values as JSON. `*` in a path means each item or member. A missing
   * value matches nothing. `{ path }` is a pattern of a file's path, such as `src/**`, and `{ command }` the
   * first words of a command in a shell text, such as `git push`.
   */
  readonly where?: Readonly<Record<string, ArgumentPattern | undefined>> | undefined
  /** True when upper and lower case are the same in all patterns of this rule. */
  readonly ignoreCase?: boolean | undefined
  /**
   * A function that gets the arguments of a call and returns true when the rule applies to it, or the reason
   * as text. The log has its name and its answers. A rule without its function, and one whose function fails,
   * counts in `deny` and `ask`, and does not count in `allow`.
   */
  readonly when?: RuleFunction | string | undefined
}

/** A pattern of a value in the arguments of a call: of text, of a path, or of a command in a shell text. */
export type ArgumentPattern =
  | string
  | { readonly path: string; readonly command?: undefined }
  | { readonly command: string; readonly path?: undefined }

/** The answer of a function: the rule applies, or it applies for a reason. */
type RuleResult = boolean | string | null | undefined | void

/** A method, because the functions of a host name only the arguments that they look at. */
export type RuleFunction = {
  judge(
    input: Readonly<Record<string, unknown>>,
    context: CheckContext,
  ): RuleResult | Promise<RuleResult>
}['judge']

/** The answer of the function of a rule about one call, as the log has it. */
export interface RuleAnswer {
  readonly list: RuleList
  /** The name of the function. */
  readonly when: string
  readonly applies: boolean
  /** The reason that it gave, or the reason why it gave no answer. */
  readonly because?: string
}

/** A permission rule: the pattern of a tool's name, or fields that must all match. */
export type Rule = string | PermissionRule

const pattern = z.string('must be text')

const oneWord = pattern.regex(/\S/, 'must not be empty')

const argumentPattern = z.union(
  [pattern, z.strictObject({ path: oneWord }), z.strictObject({ command: oneWord })],
  'must be text, { path } or { command }',
)

const sources = Object.values(ToolSource)

/** A misspelt source would match no tool, and a rule about it would deny nothing. */
const source = pattern.refine(
  (text) => {
    const [kind = ''] = text.split(':')
    return kind.includes('*') || sources.some((one) => one === kind)
  },
  `must begin with ${sources.map((one) => `"${one}"`).join(', ')} or "*"`,
)

const level = z.enum(
  ['safe', 'moderate', 'destructive'],
  'must be "safe", "moderate" or "destructive"',
)

/**
 * The schema of a rule in a host's options or in a file. Unknown fields are refused, and so is a field without
 * a value, and an object that is no plain one: as a rule without that field it would match more than was meant.
 */
const permissionRuleSchema = z.union(
  [
    pattern,
    z.custom<object>(isPlain).pipe(
      z.strictObject(
        {
          tool: pattern.optional(),
          skill: pattern.optional(),
          source: source.optional(),
          risk: z.union([level, z.array(level)]).optional(),
          where: z.record(z.string(), argumentPattern).optional(),
          ignoreCase: z.boolean('must be true or false').optional(),
          when: z
            .custom<RuleFunction | string>(
              isFunctionOrName,
              'must be a function, or the name of one',
            )
            .optional(),
        },
        {
          error: (issue) =>
            issue.code === 'unrecognized_keys'
              ? `has no field "${issue.keys.join('", "')}"; the fields are tool, skill, source, risk, where, ignoreCase and when`
              : undefined,
        },
      ),
    ),
  ],
  'must be the pattern of a name, or an object of tool, skill and source (patterns), risk (safe, moderate, destructive), where (patterns by path), ignoreCase (true or false) and when (a function)',
)

function isFunctionOrName(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'string' && value !== '')
}

function isPlain(value: unknown): boolean {
  if (!isObject(value) || Object.values(value).includes(undefined)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The schema of the effect of `allowed-tools`. */
export const allowedToolsSchema = z.enum(
  ['ignore', 'pre-approve', 'restrict'],
  'must be "ignore", "pre-approve" or "restrict"',
)

/** The schema of a list of rules. */
export const ruleListSchema = z.array(permissionRuleSchema, 'must be a list of rules')

/** The schema of permissions in a file. */
export const permissionsSchema = z.strictObject(
  {
    deny: ruleListSchema.optional(),
    ask: ruleListSchema.optional(),
    allow: ruleListSchema.optional(),
    allowedTools: allowedToolsSchema.optional(),
  },
  'must be { deny, ask, allow, allowedTools }',
)

/** The effects of `allowed-tools` by how much they let run. */
export const LOOSENESS: Readonly<Record<AllowedToolsEffect, number>> = {
  restrict: 0,
  ignore: 1,
  'pre-approve': 2,
}

/**
 * Returns why a rule can match nothing, whatever is registered; null when something could match it. In `deny` and `ask`
 * such a rule would be trusted and hold for nothing, so no session takes it from a host.
 *
 * It is decided from the rule alone. Tools and servers that are not defined count as possible: a host registers tools
 * and attaches servers to an open session, gives one policy to sessions with other catalogs, and should deny a tool
 * before it is there. The rule holds from the moment it is. Lint, which knows a project, reports those that match
 * nothing in it (`pattern-unmatched`).
 */
function impossibleRule(rule: Rule): Impossible | null {
  if (typeof rule === 'string') return impossiblePattern(rule)
  const { tool, skill, source: from, risk } = rule
  if (skill !== undefined && !/^[\p{L}\p{M}\p{N}_.*-]+$/u.test(skill)) {
    const what = 'names of skills have only letters, digits, "_", "-" and "."'
    return { what, hint: 'Write the name of the skill; "*" matches any text.' }
  }
  if (skill !== undefined && from !== undefined && !/^(?:skill|[a-z]*\*)/u.test(from)) {
    const what = `a tool of a skill is never of the source "${from}"`
    return { what, hint: 'Leave out "skill" or "source".' }
  }
  const [kind = '', owner] = from?.split(':', 2) ?? []
  const isOfNobody =
    kind === 'global' &&
    owner !== undefined &&
    !['global', META_OWNER].some((one) => matchesPattern(owner, one))
  if (owner === '' || isOfNobody) {
    const what = `the source "${from}" has no tools`
    return { what, hint: `Write "${kind}" for all tools of that kind.` }
  }
  if (Array.isArray(risk) && risk.length === 0) {
    return { what: '"risk" is an empty list', hint: 'Leave out "risk" for all levels.' }
  }
  return tool === undefined ? null : impossiblePattern(tool)
}

type Restricting = Partial<Readonly<Record<'deny' | 'ask', readonly Rule[] | undefined>>>

/**
 * Returns the first rule in `deny` and `ask` that can match nothing, with its place; null when there is none.
 *
 * @param recorded the rules that a session has: they may stay, since a session of an earlier version must open
 */
export function firstImpossible(rules: Restricting, recorded: Restricting = {}) {
  for (const list of ['deny', 'ask'] as const) {
    for (const [place, rule] of (rules[list] ?? []).entries()) {
      const impossible = impossibleRule(rule)
      if (impossible === null || rulesNotIn(recorded[list] ?? [], [rule]).length === 0) continue
      const { what, hint } = impossible
      return { path: [list, place], message: `can match nothing: ${what}`, hint }
    }
  }
  return null
}

/**
 * Returns the rules in `allow` that let nothing run, whatever is registered, with the reason: they can match nothing, or
 * a rule in `deny` covers all that they match. They stay, since they open nothing, and a person should know.
 */
export function uselessAllows(
  deny: readonly Rule[],
  allow: readonly Rule[],
): readonly { readonly place: number; readonly message: string; readonly hint: string }[] {
  return allow.flatMap((rule, place) => {
    const impossible = impossibleRule(rule)
    if (impossible !== null) {
      const { what, hint } = impossible
      return [{ place, message: `can match nothing: ${what}`, hint }]
    }
    const denying = deny.find((one) => coversRule(one, rule))
    if (denying === undefined) return []
    const text = typeof denying === 'string' ? denying : canonicalJson(denying)
    const hint = 'Remove one of the two: what is denied stays denied, whatever is allowed.'
    return [{ place, message: `allows nothing: the rule ${text} in deny covers it`, hint }]
  })
}

/** Returns true when a rule in `deny` holds for each call that another rule matches. */
function coversRule(denying: Rule, allowing: Rule): boolean {
  const { tool, skill, source: from, risk, where, when, ignoreCase = false } = ruleFields(denying)
  const other = ruleFields(allowing)
  const covers = (pattern: string | undefined, inner: string | undefined) =>
    pattern === undefined ||
    pattern === '*' ||
    (inner !== undefined &&
      (ignoreCase || other.ignoreCase !== true) &&
      matchesPattern(
        ignoreCase ? foldCase(pattern) : pattern,
        ignoreCase ? foldCase(inner) : inner,
      ))
  const levels = (given: PermissionRule['risk']) => (given === undefined ? [] : [given].flat())
  return (
    when === undefined &&
    (where === undefined || canonicalJson(where) === canonicalJson(other.where ?? null)) &&
    covers(tool && serverForm(tool), other.tool && serverForm(other.tool)) &&
    covers(skill, other.skill) &&
    covers(from, other.source) &&
    (risk === undefined ||
      (other.risk !== undefined && levels(other.risk).every((one) => levels(risk).includes(one))))
  )
}

function ruleFields(rule: Rule): PermissionRule {
  return typeof rule === 'string' ? { tool: rule } : rule
}

/** Writes all tools of a server in the one way: `mcp__my_shop__*` for `mcp__my-shop`. */
function serverForm(pattern: string): string {
  if (!pattern.startsWith('mcp__')) return pattern
  const form = pattern.replaceAll(/[.-]/gu, '_')
  return form.slice('mcp__'.length).includes('__') || form.includes('*') ? form : `${form}__*`
}

/** Returns the rules that a list does not have. */
export function rulesNotIn(known: readonly Rule[], rules: readonly Rule[]): readonly Rule[] {
  const texts = new Set(known.map((rule) => canonicalJson(rule)))
  return rules.filter((rule) => !texts.has(canonicalJson(rule)))
}

/** The rule of the host that decided about a call. */
export interface HostReason {
  readonly rule: Rule
  /** The reason that the function of the rule gave, or the reason why it gave no answer. */
  readonly because?: string
}

/** The lists of rules in a policy. */
export type RuleList = 'deny' | 'ask' | 'allow'

/**
 * The places of the rules whose `where` and `when` match one call, in each list, with the answers of their
 * functions. Only this goes into the decision; the arguments stay with the caller.
 */
export interface WhereMatches extends Readonly<Record<RuleList, readonly number[]>> {
  readonly answers?: readonly RuleAnswer[]
  /** The entries of `allowed-tools` with arguments that mean the call, as texts. */
  readonly allowed?: readonly string[]
  /** For each policy of the sessions above. */
  readonly above?: readonly WhereMatches[]
}
