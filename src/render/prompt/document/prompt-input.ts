import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Panel } from '../../../components/define-component.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import type { ToolRow } from '../../../engine/standing/tool-table.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Agent } from '../../../skills/definition/define-agent.ts'

/** A component's panel as its state has it now. */
export interface ComponentPanel {
  readonly key: string
  readonly displayName: string
  readonly panel: Panel
}

export type SchemasInRequest = boolean | 'meta-tools'

export interface PromptOptions {
  /** All four are on by default. The last also switches the SKILL TOOLS sections. */
  readonly includeInitialSkills: boolean
  readonly includeSkillCatalog: boolean
  readonly includeLoadedSkills: boolean
  readonly includeAvailableTools: boolean
  /** Entities, the summary, used and found tools; on by default, and empty without any. */
  readonly includeWorkingMemory: boolean
  /**
   * The request carries the schemas, all of them or those of meta-tools, so the tools are listed by
   * name and summary only.
   */
  readonly schemasInRequest: SchemasInRequest
  /**
   * The host leaves parts of its history out and does not say so by `compact()`; off by default. What
   * is remembered is told at once then, and found tools with their arguments: the result, or the
   * page, that told it may be gone.
   */
  readonly historyIsCut: boolean
  /**
   * Tokens the skill catalog may take. 4,000 hold some hundred skills with their descriptions
   * and stay small beside a conversation.
   */
  readonly catalogBudget: number
  /** Names of the meta-tools that are offered; the text tells of no other. */
  readonly metaTools: readonly string[]
  /** Today, as it should be read; told only when given, because there is no clock here. */
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
 * All a prompt is made from. Nothing in it may be changed afterwards: what is made is kept by
 * the identity of what it was made from.
 */
export interface PromptInput {
  readonly catalog: Catalog
  /** Null for a session without a profile, which may load every skill. */
  readonly agent: Agent | null
  readonly state: WorkspaceState
  /** Every registered tool with its standing. */
  readonly tools: readonly ToolRow[]
  readonly components: readonly ComponentPanel[]
  /** Later scopes win. */
  readonly variables: readonly VariableScope[]
  /** Measures the skill catalog against its budget. */
  readonly counter: TokenCounter
  readonly options?: Partial<PromptOptions>
  /**
   * Tools are found by search, so those of no skill are not listed: the request carries the ones that
   * are shown from the start.
   */
  readonly searches?: boolean
  /** The found tools that can be called, in the order of finding. */
  readonly found?: readonly Tool[]
}
