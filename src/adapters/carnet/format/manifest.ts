/** Skills that every agent of a project has beside its own lists. */
export interface AppConfig {
  globalInitialSkills: string[]
  globalSkills: string[]
}

export interface Agent {
  name: string
  description: string
  initialSkills: string[]
  skills: string[]
  prompt: string
}

/** A file of a skill, with its text, as the manifest holds it. */
export interface SkillFileReference {
  path: string
  description: string
  content: string
}

export interface Skill {
  name: string
  description: string
  toolsets: string[]
  files?: SkillFileReference[] | undefined
  content: string
}

export interface Toolset {
  name: string
  description: string
  tools: string[]
  content: string
}

export interface Tool {
  name: string
  description: string
  content: string
}

/**
 * What Carnet's class takes: a parsed `carnet.manifest.json`, version 1. The keys are the names that
 * everything is asked for by. The members are writable as in Carnet's own types, so that code
 * written for those compiles; what an instance hands out is frozen.
 */
export interface Manifest {
  version: number
  app: AppConfig
  agents: Record<string, Agent>
  skills: Record<string, Skill>
  toolsets: Record<string, Toolset>
  tools: Record<string, Tool>
}

/** A file as it is listed: without its text when it goes to a model. */
export type SkillMetadata = Pick<Skill, 'name' | 'description' | 'toolsets' | 'files'>
export type ToolsetMetadata = Pick<Toolset, 'name' | 'description' | 'tools'>
export type ToolMetadata = Pick<Tool, 'name' | 'description'>
