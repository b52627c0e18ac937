import type { RiskLevel } from '../../tools/definition/tool.ts'

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
