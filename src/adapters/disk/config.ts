import type { ToolComponent } from '../../components/tool-component.ts'
import type { Tool } from '../../registry/tool.ts'
import type { Toolset } from '../../registry/toolset.ts'
import type { Agent } from '../../skills/agent.ts'
import type { AgentDefinition } from '../../skills/define-agent.ts'

/** Environment variables a prompt may hold: by name, and by prefix only when one is asked for. */
export interface EnvironmentSelection {
  readonly names?: readonly string[]
  readonly prefix?: string
}

/** What a `loadout.config.*` says beside the folders it stands in. */
export interface LoadoutConfig {
  /** Folders with skills, relative to the file. */
  readonly skills?: readonly string[]
  readonly agents?: readonly (Agent | AgentDefinition)[]
  /** Values for `{{ NAME }}`. */
  readonly variables?: Readonly<Record<string, string>>
  readonly environment?: EnvironmentSelection
  /** Patterns of tool names: `deny` is refused, `ask` waits for a person. */
  readonly permissions?: { readonly deny?: readonly string[]; readonly ask?: readonly string[] }
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
