import type { MemoryLog, TokenCounter } from '../../../entries/index.ts'
import type { SkillMetadata, WritableAgent, WritableSkill } from '../format/carnet-manifest.ts'
import type { DomainToolSet } from './tool-registry.ts'

/** Options of an instance; the first two are Carnet's own. */
export interface CarnetOptions {
  /** Values for `{{ NAME }}` in every text. */
  variables?: Record<string, string>
  /**
   * Prefixes of environment variables that are substituted, too; `CARNET_` and `PUBLIC_` by
   * default.
   */
  envPrefixes?: string[]
  /** The meta-tools that `getTools` returns; `loadSkill` and `loadSkillFile` by default. */
  metaTools?: readonly CarnetToolName[]
  /**
   * The log of the sessions; a private one by default. Code that has the log can read the entries.
   */
  log?: MemoryLog
  /**
   * Counts the tokens in the prices of `workspace()`; by default four characters count as one
   * token.
   */
  tokenCounter?: TokenCounter
}

/** Options of `getTools`. */
export interface ToolOptions {
  /**
   * Tools of the host, by the names that the manifest's toolsets list; those of loaded skills are
   * returned. Or a list of names: only these are returned, of the meta-tools and the registered
   * tools.
   */
  tools?: DomainToolSet | readonly string[]
  /** The meta-tools to return; those of the instance by default. */
  metaTools?: readonly CarnetToolName[]
}

/** The parts of a system prompt. */
export interface CarnetPromptOptions {
  /** Variables of this call; they override those of the instance. */
  variables?: Record<string, string>
  /** Include the initial skills with their texts; true by default. */
  includeInitialSkills?: boolean
  /**
   * Include the skills that the agent may load, and the instructions for loading; true by default.
   */
  includeSkillCatalog?: boolean
  /**
   * Include the loaded skills. By default from the moment a skill was loaded that is not an initial
   * one; with `true` always.
   */
  includeLoadedSkills?: boolean
  /** Include the tools of loaded skills; true by default. */
  includeAvailableTools?: boolean
}

export interface GenerateAgentPromptOptions extends CarnetPromptOptions {
  /** Tools as given to `getTools`, for their descriptions. */
  tools?: DomainToolSet
}

export interface GeneratedPrompt {
  content: string
  agent: WritableAgent
  initialSkills: WritableSkill[]
  availableSkills: SkillMetadata[]
}

/** Options for reading a text of the manifest. */
export interface ContentRetrievalOptions {
  variables?: Record<string, string>
  /** Return the text without substituting variables. */
  raw?: boolean
}

/** The meta-tools of Carnet's documentation, in the order they are returned. */
export const CARNET_TOOL_NAMES = [
  'listAvailableSkills',
  'loadSkill',
  'loadSkillFile',
  'listSkillToolsets',
  'loadToolset',
  'loadTool',
] as const

export type CarnetToolName = (typeof CARNET_TOOL_NAMES)[number]

/** The meta-tools that the published package returns. */
export const DEFAULT_TOOL_NAMES: readonly CarnetToolName[] = ['loadSkill', 'loadSkillFile']
