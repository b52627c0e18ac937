import type { ToolComponent } from '../../components/tool-component.ts'
import type { ModeTable } from '../../engine/model/mode-limits-of.ts'
import type { Policy } from '../../engine/model/policy.ts'
import type { EnvironmentSelection } from '../../kernel/substitute-variables.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import type { Agent } from '../../skills/definition/agent.ts'

/** A configuration as it was read: checked, with every list there and paths absolute. */
export interface ProjectConfig {
  /** The file; null when there is none. */
  readonly file: string | null
  readonly skills: readonly string[]
  readonly agents: readonly Agent[]
  readonly variables: Readonly<Record<string, string>>
  readonly environment: EnvironmentSelection
  readonly permissions: Pick<Policy, 'deny' | 'ask' | 'allow' | 'allowedTools'>
  readonly modes: ModeTable
  readonly tools: readonly Tool[]
  readonly toolsets: readonly Toolset[]
  readonly components: readonly ToolComponent[]
  readonly services: unknown
}

export const NO_CONFIG: ProjectConfig = {
  file: null,
  skills: [],
  agents: [],
  variables: {},
  environment: { names: [] },
  permissions: { deny: [], ask: [], allow: [], allowedTools: 'ignore' },
  modes: {},
  tools: [],
  toolsets: [],
  components: [],
  services: undefined,
}
