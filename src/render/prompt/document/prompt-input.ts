import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Panel } from '../../../components/define-component.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import type { ToolRow } from '../../../engine/standing/tool-table.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Provider } from '../../../schema/provider-forms/provider-schema.ts'
import type { Agent } from '../../../skills/definition/define-agent.ts'

/** The panel of a component in its current state. */
export interface ComponentPanel {
  readonly key: string
  readonly displayName: string
  readonly panel: Panel
}

/** The tools whose schemas the request carries: all, none, or the meta-tools alone. */
export type SchemasInRequest = boolean | 'meta-tools'

export interface PromptOptions {
  /** All four are on by default. The last one also controls the SKILL TOOLS sections. */
  readonly includeInitialSkills: boolean
  readonly includeSkillCatalog: boolean
  readonly includeLoadedSkills: boolean
  readonly includeAvailableTools: boolean
  /** Entities, the summary, used and found tools; on by default. */
  readonly includeWorkingMemory: boolean
  /** Tools whose schemas are in the request are listed with name and summary only. */
  readonly schemasInRequest: SchemasInRequest
  /**
   * True when the host drops parts of its history without calling `compact()`; off by default. Memory
   * is then shown at once, and found tools with their arguments, because the results and search pages
   * they came from may be gone.
   */
  readonly historyIsCut: boolean
  /**
   * The most tokens for the skill catalog. 4,000 fit about a hundred skills with their descriptions
   * and are few compared with a conversation.
   */
  readonly catalogBudget: number
  /** Names of the meta-tools that are offered; the text mentions no others. */
  readonly metaTools: readonly string[]
  /** Today's date as the model should read it; without it no date is shown: there is no clock here. */
  readonly date?: string
}

export const DEFAULT_PROMPT_OPTIONS: PromptOptions = {
  includeInitialSkills: true,
  includeSkillCatalog: true,
  includeLoadedSkills: true,
  includeAvailableTools: true,
  includeWorkingMemory: true,
  schemasInRequest: true,
  historyIsCut: false,
  catalogBudget: 4000,
  metaTools: ['loadSkill', 'loadSkillFile', 'unloadSkill'],
}

/**
 * Everything a prompt is built from. Must not be changed afterwards: results are cached by the
 * identity of these objects.
 */
export interface PromptInput {
  readonly catalog: Catalog
  /** Null for a session without a profile, which may activate every skill. */
  readonly agent: Agent | null
  readonly state: WorkspaceState
  /** Every registered tool with its status. */
  readonly tools: readonly ToolRow[]
  readonly components: readonly ComponentPanel[]
  /** Later scopes win. */
  readonly variables: readonly VariableScope[]
  /** Counts the tokens of the skill catalog. */
  readonly counter: TokenCounter
  readonly options?: Partial<PromptOptions>
  /**
   * True when tools are found by search. Tools without a skill are then not listed: those shown from
   * the start are in the request.
   */
  readonly searches?: boolean
  /** The provider whose rules for names hold: tools are listed by the names that it gets. */
  readonly namesFor?: Provider | undefined
  /** The found tools that can be called, in the order in which they were found. */
  readonly found?: readonly Tool[]
}
