import type { Tool } from '../../../tools/definition/tool.ts'
import type { Toolset } from '../../../tools/toolset.ts'
import type { Agent } from '../../../skills/definition/agent.ts'
import type { Skill } from '../../../skills/definition/skill.ts'

/** What a manifest is made of, each kind without two of one name. */
export interface CarnetSource {
  readonly skills: readonly Skill[]
  readonly toolsets: readonly Toolset[]
  readonly tools: readonly Tool[]
  readonly agents: readonly Agent[]
}
