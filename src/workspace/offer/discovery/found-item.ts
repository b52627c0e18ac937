import type { Tool } from '../../../tools/definition/tool.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import type { FindableTool } from '../../../engine/standing/findable-tools.ts'
import type { ToolSource } from '../../../engine/model/tool-source.ts'

/** What it takes to call a found tool. */
export type Callable = FindableTool['callable']

/** A tool that a session's model may come to call. */
export interface FoundToolItem {
  readonly kind: 'tool'
  /** What it is called by in this session. */
  readonly name: string
  readonly tool: Tool
  readonly source: ToolSource
  readonly owner: string
  readonly callable: Callable
}

/** A skill that a session's model may load, or has loaded. */
export interface FoundSkillItem {
  readonly kind: 'skill'
  readonly name: string
  readonly skill: Skill
  readonly loaded: boolean
}

export type FoundItem = FoundToolItem | FoundSkillItem
