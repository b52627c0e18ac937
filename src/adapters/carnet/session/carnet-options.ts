import type { SkillMetadata, WritableAgent, WritableSkill } from '../format/carnet-manifest.ts'
import type { DomainToolSet } from './tool-registry.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { MemoryLog } from '../../../workspace/log/memory-log.ts'

/** How an instance is made; the first two are Carnet's own. */
export interface CarnetOptions {
  /** Put into every text where `{{ NAME }}` stands. */
  variables?: Record<string, string>
  /** Environment variables with these prefixes are put in, too; `CARNET_` and `PUBLIC_` when absent. */
  envPrefixes?: string[]
  /** The meta-tools `getTools` offers: `loadSkill` and `loadSkillFile` when absent. */
  metaTools?: readonly CarnetToolName[]
  /** Where sessions are kept; a log of its own when absent. Whoever holds it can read the entries. */
  log?: MemoryLog
  /** Counts the tokens that `workspace()` tells of; when absent, four characters are one. */
  tokenCounter?: TokenCounter
}

/** Which tools `getTools` puts together. */
export interface ToolOptions {
  /**
   * Tools of the host, by the names the manifest's toolsets list; those of loaded skills come out.
   * Or a list of names: of the meta-tools and the registered tools only these come out.
   */
  tools?: DomainToolSet | readonly string[]
  /** The meta-tools that are offered; those of the instance when absent. */
  metaTools?: readonly CarnetToolName[]
}

/** What a system prompt is made of. */
export interface CarnetPromptOptions {
  /** Variables of this call; they win over those of the instance. */
  variables?: Record<string, string>
  /** The initial skills in full; true when absent. */
  includeInitialSkills?: boolean
  /** The skills the agent may load, and how; true when absent. */
  includeSkillCatalog?: boolean
  /**
   * The skills that are loaded. When absent, once one was loaded that was not there from the start;
   * with `true` from the start.
   */
  includeLoadedSkills?: boolean
  /** The tools that loaded skills bring; true when absent. */
  includeAvailableTools?: boolean
}

export interface GenerateAgentPromptOptions extends CarnetPromptOptions {
  /** Tools as `getTools` would be given them: their descriptions are told. */
  tools?: DomainToolSet
}

export interface GeneratedPrompt {
  content: string
  agent: WritableAgent
  initialSkills: WritableSkill[]
  availableSkills: SkillMetadata[]
}

/** How a text of the manifest is read. */
export interface ContentRetrievalOptions {
  variables?: Record<string, string>
  /** As it is written, variables and all. */
  raw?: boolean
}

/** The meta-tools Carnet's documents name, in the order they are offered. */
export const CARNET_TOOL_NAMES = [
  'listAvailableSkills',
  'loadSkill',
  'loadSkillFile',
  'listSkillToolsets',
  'loadToolset',
  'loadTool',
] as const

export type CarnetToolName = (typeof CARNET_TOOL_NAMES)[number]

/** What the published package offers. */
export const DEFAULT_TOOL_NAMES: readonly CarnetToolName[] = ['loadSkill', 'loadSkillFile']
