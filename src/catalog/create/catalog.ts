import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { TopicRules } from '../../tools/rule.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { ToolComponent } from '../../components/tool-component.ts'

/** One tool a skill brings when it is active. */
export interface SkillTool {
  readonly tool: Tool
  /** The toolset it came through, if any. */
  readonly toolset?: string
  /** The skill it was taken from by `extends`, if any. */
  readonly extendedFrom?: string
  /** Chosen by name or range among shared tools, so another version of it may be global. */
  readonly picked: boolean
}

/**
 * A set of definitions, immutable, identified by content hash and shared by all sessions
 * of a process. A reload makes a new one.
 */
export interface Catalog {
  readonly hash: ContentHash
  readonly skills: ReadonlyMap<string, Skill>
  /** Skills of a name that another one won, listed and explained but never activated. */
  readonly shadowedSkills: readonly Skill[]
  readonly toolsets: ReadonlyMap<string, Toolset>
  readonly agents: ReadonlyMap<string, Agent>
  readonly components: ReadonlyMap<string, ToolComponent>
  /** Shared tools by name, highest version first. */
  readonly sharedTools: ReadonlyMap<string, readonly Tool[]>
  /** Shared tools that no skill or toolset names: always available, one version a name. */
  readonly globalTools: readonly Tool[]
  /** What a skill brings, in order, resolved through toolsets and `extends`. */
  readonly skillTools: ReadonlyMap<string, readonly SkillTool[]>
  /** The skills that would bring a tool of this name, by name. */
  readonly bringers: ReadonlyMap<string, readonly string[]>
  /** How the tools of a topic are to be used, by topic. */
  readonly rules: ReadonlyMap<string, TopicRules>
  /** Every tool by its definition hash: how handlers are bound. */
  readonly toolsByHash: ReadonlyMap<ContentHash, Tool>
  readonly diagnostics: readonly Diagnostic[]
}
