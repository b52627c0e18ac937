import type { Tool } from '../../registry/tool.ts'
import type { Toolset } from '../../registry/toolset.ts'
import type { Agent } from '../agent.ts'
import type { Skill } from '../skill.ts'

/** What a manifest is made of, each kind without two of one name. */
export interface CarnetSource {
  readonly skills: readonly Skill[]
  readonly toolsets: readonly Toolset[]
  readonly tools: readonly Tool[]
  readonly agents: readonly Agent[]
}
