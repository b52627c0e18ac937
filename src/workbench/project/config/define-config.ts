import type {
  Agent,
  AgentDefinition,
  Catalog,
  ModeTable,
  Policy,
  PolicyOptions,
  Skill,
  Tool,
  ToolComponent,
  Toolset,
  WorkspaceOptions,
} from '../../../entries/index.ts'
import type { EnvironmentSelection, ToolServer } from '../../../entries/kit.ts'
import type { McpServing } from '../../../connections/mcp/server/mcp-serving.ts'

/** The content of a `loadout.config.*`, in addition to the folders next to it. */
export interface LoadoutConfig {
  /** Folders with skills, relative to the file. A module may also contain skills of `defineSkill`. */
  readonly skills?: readonly (string | Skill)[]
  /** The folders that are searched for skills, and the links that are followed. */
  readonly folders?: Partial<ConfigFolders>
  readonly agents?: readonly (Agent | AgentDefinition)[]
  /** Values for `{{ NAME }}`. */
  readonly variables?: Readonly<Record<string, string>>
  /**
   * Environment variables that prompts may contain: by name, or by prefix if one is given. `servers`: those that files
   * of servers may use, by name. They are not in prompts.
   */
  readonly environment?: Partial<ConfigEnvironment>
  /**
   * Servers of tools, which skills name: files such as `.mcp.json`, relative to this one or to the home (`~/`). A module
   * may also contain servers of `mcpServer`.
   */
  readonly servers?: readonly (string | ToolServer)[]
  /**
   * Permission rules: `deny` refuses, `ask` asks a person, `allow` does not ask. JSON of an
   * untrusted folder can only deny and ask.
   */
  readonly permissions?: Partial<Pick<Policy, 'deny' | 'ask' | 'allow' | 'allowedTools'>>
  /**
   * Additional modes, and changes of `voice` and `text`. Not allowed in JSON of an untrusted
   * folder.
   */
  readonly modes?: ModeTable
  /** The options of the host's workspace, so that a session of a command has the same prompt and tools. */
  readonly discovery?: WorkspaceOptions['discovery']
  readonly exposure?: WorkspaceOptions['exposure']
  readonly provider?: WorkspaceOptions['provider']
  readonly catalogBudget?: WorkspaceOptions['catalogBudget']
  /**
   * The catalog of the host. It takes the place of folders, and of skills, agents, tools, toolsets and
   * components of this file. Only in a module, like the fields below.
   */
  readonly catalog?: Catalog | Promise<Catalog>
  /**
   * Shared tools. A word stands for tools of the command and the playground: for files, a shell, and the scripts of
   * skills, in the current folder. JSON has words alone, and those of an untrusted folder have no effect.
   */
  readonly tools?: readonly (Tool | WorkspaceToolKind)[]
  readonly toolsets?: readonly Toolset[]
  readonly components?: readonly ToolComponent[]
  /** Passed to every handler as `context.services`. */
  readonly services?: unknown
  /** The host's own resources and prompts for `loadout mcp serve`, its name, and who may connect. */
  readonly mcp?: McpConfig
  /** The model that answers in `loadout run`: any of the AI SDK, or an id of its gateway. */
  readonly model?:
    | string
    | {
        readonly specificationVersion: string
        readonly provider: string
        readonly modelId: string
      }
}

/** The folders that are read in addition to those of the project. */
export interface ConfigFolders {
  /** False to leave out the folders of skills of parents, up to the root of the repository. */
  readonly parents: boolean
  /** True to follow links that lead out. Has no effect in JSON of an untrusted folder. */
  readonly followLinksOut: boolean
}

/** The environment variables that a configuration gives away. */
export interface ConfigEnvironment extends EnvironmentSelection {
  readonly servers?: readonly string[]
}

export type McpConfig = Pick<
  McpServing,
  'name' | 'version' | 'resources' | 'prompts' | 'hosts' | 'authenticate'
>

/** A word for tools that are made for each session. */
export type WorkspaceToolKind = 'files' | 'shell' | 'scripts'

/**
 * Gives the default export of a `loadout.config.ts` its type.
 *
 *     export default defineConfig({ skills: ['./skills', refunds], agents: [{ name: 'support' }] })
 */
export function defineConfig(config: LoadoutConfig): LoadoutConfig {
  return config
}

/** A configuration after reading: checked, with absolute paths, and lists where they have a default. */
export interface ProjectConfig {
  /** The file; null when there is none. */
  readonly file: string | null
  /** Folders with skills, and skills that are defined in the file. */
  readonly skills: readonly (string | Skill)[]
  readonly folders: ConfigFolders
  /** Null for a file without one. */
  readonly catalog: Catalog | null
  readonly agents: readonly Agent[]
  readonly variables: Readonly<Record<string, string>>
  readonly environment: ConfigEnvironment
  /** Files of servers, and servers that are defined in the file. */
  readonly servers: readonly (string | ToolServer)[]
  /** Only what the file gives: a list that is absent changes nothing. */
  readonly permissions: NonNullable<PolicyOptions['permissions']>
  readonly modes: ModeTable
  readonly options: Pick<WorkspaceOptions, 'discovery' | 'exposure' | 'provider' | 'catalogBudget'>
  readonly tools: readonly (Tool | WorkspaceToolKind)[]
  readonly toolsets: readonly Toolset[]
  readonly components: readonly ToolComponent[]
  readonly services: unknown
  readonly mcp: McpConfig
  readonly model: LoadoutConfig['model']
}

export const NO_CONFIG: ProjectConfig = {
  file: null,
  skills: [],
  folders: { parents: true, followLinksOut: false },
  catalog: null,
  agents: [],
  variables: {},
  environment: { names: [] },
  servers: [],
  permissions: {},
  modes: {},
  options: {},
  tools: [],
  toolsets: [],
  components: [],
  services: undefined,
  mcp: {},
  model: undefined,
}
