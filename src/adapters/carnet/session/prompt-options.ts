import type { DomainToolSet } from './domain-tools.ts'
import type { Agent, Skill, SkillMetadata } from '../format/manifest.ts'

/** What a system prompt is made of. */
export interface PromptOptions {
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

export interface GenerateAgentPromptOptions extends PromptOptions {
  /** Tools as `getTools` would be given them: their descriptions are told. */
  tools?: DomainToolSet
}

export interface GeneratedPrompt {
  content: string
  agent: Agent
  initialSkills: Skill[]
  availableSkills: SkillMetadata[]
}

/** How a text of the manifest is read. */
export interface ContentRetrievalOptions {
  variables?: Record<string, string>
  /** As it is written, variables and all. */
  raw?: boolean
}
