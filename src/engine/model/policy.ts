import { z } from 'zod'
import { type ModeLimits, OPEN_LIMITS } from './modes.ts'
import type { RiskLevel } from '../../tools/definition/tool.ts'

/**
 * What the `allowed-tools` of a skill comes to while the skill is active. `pre-approve`: what it names is
 * not asked about for the sake of the definition. `restrict`: nothing else is called.
 */
export type AllowedToolsEffect = 'ignore' | 'pre-approve' | 'restrict'

/**
 * What the host allows a session. A fact of the log, since it decides what a model could do:
 * who looks later sees by the policy of that moment.
 *
 * `deny` beats `ask`, which beats `allow`, which beats what a definition asks for
 * (`requiresConfirmation`), whatever the order and however narrow a rule is.
 */
export interface Policy {
  readonly mode: string
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
  /** Not asked about, though the definition wants it. It opens nothing that is refused. */
  readonly allow: readonly Rule[]
  readonly allowedTools: AllowedToolsEffect
  /** Those of the mode, with `callsPerTurn` in the place of its own. */
  readonly limits: ModeLimits
  /** What the host set in the place of a mode's: it holds in the next mode, too. */
  readonly callsPerTurn?: ModeLimits['callsPerTurn']
}

export const OPEN_POLICY: Policy = {
  mode: 'text',
  deny: [],
  ask: [],
  allow: [],
  allowedTools: 'ignore',
  limits: OPEN_LIMITS,
}

/**
 * What a rule of permission is about. All the members that are given must match; one without any
 * matches every tool. In patterns `*` stands for anything, every other character for itself.
 */
export interface PermissionRule {
  /** Pattern of the name a tool goes by, or of the one in its definition. */
  readonly tool?: string
  /** Pattern of the skill that brings it; tools of no skill do not match. */
  readonly skill?: string
  /** Pattern of where it comes from, `skill`, `component` or `global`, or with the owner: `component:cart`. */
  readonly source?: string
  /** The level, or one of the levels, that its risk counts as. */
  readonly risk?: RiskLevel | readonly RiskLevel[]
  /**
   * Dotted paths into the arguments of a call, each with a pattern of what stands there: a text as it
   * is, anything else as JSON. `*` in a path stands for each item or member. What is missing matches
   * nothing.
   */
  readonly where?: Readonly<Record<string, string>>
}

/** A rule of permission: the pattern of a tool's name, or all that must match. */
export type Rule = string | PermissionRule

const pattern = z.string('must be text')

const level = z.enum(
  ['safe', 'moderate', 'destructive'],
  'must be "safe", "moderate" or "destructive"',
)

/** The check of a rule as a host or a file gives it. A member that is not known is refused. */
export const permissionRuleSchema = z.union(
  [
    pattern,
    z.strictObject(
      {
        tool: pattern.optional(),
        skill: pattern.optional(),
        source: pattern.optional(),
        risk: z.union([level, z.array(level)]).optional(),
        where: z.record(z.string(), pattern).optional(),
      },
      {
        error: (issue) =>
          issue.code === 'unrecognized_keys'
            ? `has no field "${issue.keys.join('", "')}"; the fields are tool, skill, source, risk and where`
            : undefined,
      },
    ),
  ],
  'must be the pattern of a name, or an object of tool, skill and source (patterns), risk (safe, moderate, destructive) and where (patterns by path)',
)

/** The check of what the `allowed-tools` of skills come to. */
export const allowedToolsSchema = z.enum(
  ['ignore', 'pre-approve', 'restrict'],
  'must be "ignore", "pre-approve" or "restrict"',
)

/** The lists of rules a policy has. */
export type RuleList = 'deny' | 'ask' | 'allow'

/**
 * Of the rules that look at arguments, the places in their lists of those whose `where` holds for one call.
 * This much of the arguments comes to the gate, and no more: they stay with the caller.
 */
export type WhereMatches = Readonly<Record<RuleList, readonly number[]>>
