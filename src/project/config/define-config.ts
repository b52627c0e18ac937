import type { ToolComponent } from '../../components/define-component.ts'
import type { ModeTable } from '../../engine/model/modes.ts'
import type { Policy } from '../../engine/model/policy.ts'
import type { EnvironmentSelection } from '../../kernel/substitute-variables.ts'
import type { Agent, AgentDefinition } from '../../skills/definition/define-agent.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** What a `loadout.config.*` says beside the folders it stands in. */
export interface LoadoutConfig {
  /** Folders with skills, relative to the file. */
  readonly skills?: readonly string[]
  readonly agents?: readonly (Agent | AgentDefinition)[]
  /** Values for `{{ NAME }}`. */
  readonly variables?: Readonly<Record<string, string>>
  /** Environment variables that prompts may hold: by name, by prefix only when one is given. */
  readonly environment?: Partial<EnvironmentSelection>
  /**
   * Rules: `deny` is refused, `ask` waits for a person, `allow` does not. JSON that is not trusted can
   * only deny and ask.
   */
  readonly permissions?: Partial<Pick<Policy, 'deny' | 'ask' | 'allow' | 'allowedTools'>>
  /** Modes of its own, and what is different in `voice` and `text`; not of JSON that is not trusted. */
  readonly modes?: ModeTable
  /** Shared tools. Only in a module, like all below. */
  readonly tools?: readonly Tool[]
  readonly toolsets?: readonly Toolset[]
  readonly components?: readonly ToolComponent[]
  /** Handed to every handler as `context.services`. */
  readonly services?: unknown
}

/**
 * Type the default export of a `loadout.config.ts`.
 *
 *     export default defineConfig({ skills: ['./skills'], agents: [{ name: 'support' }] })
 */
export function defineConfig(config: LoadoutConfig): LoadoutConfig {
  return config
}

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
