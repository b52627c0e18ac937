/** Skills that every agent of a Carnet project has beside its own lists. */
export interface CarnetApp {
  readonly globalInitialSkills: readonly string[]
  readonly globalSkills: readonly string[]
}

export interface CarnetAgent {
  readonly name: string
  readonly description: string
  readonly initialSkills: readonly string[]
  /** Skills it may load beside the initial ones; an agent without any may load none. */
  readonly skills: readonly string[]
  readonly prompt: string
}

/** A file of a skill, with its text. */
export interface CarnetFile {
  readonly path: string
  readonly description: string
  readonly content: string
}

export interface CarnetSkill {
  readonly name: string
  readonly description: string
  readonly toolsets: readonly string[]
  readonly files?: readonly CarnetFile[]
  readonly content: string
}

export interface CarnetToolset {
  readonly name: string
  readonly description: string
  readonly tools: readonly string[]
  readonly content: string
}

/** What is written about a tool; its schema and its code are registered by the host. */
export interface CarnetTool {
  readonly name: string
  readonly description: string
  readonly content: string
}

/**
 * A `carnet.manifest.json`, version 1, as `carnet build` of 0.3.0 writes it and its class takes it.
 * Definitions stand under their names; the name inside an entry is the one that counts.
 */
export interface CarnetManifest {
  readonly version: number
  readonly app: CarnetApp
  readonly agents: Readonly<Record<string, CarnetAgent>>
  readonly skills: Readonly<Record<string, CarnetSkill>>
  readonly toolsets: Readonly<Record<string, CarnetToolset>>
  readonly tools: Readonly<Record<string, CarnetTool>>
}

/** The one version of the format there is. */
export const CARNET_MANIFEST_VERSION = 1

/** Skills that every agent of a project has beside its own lists. */
export interface AppConfig {
  globalInitialSkills: string[]
  globalSkills: string[]
}

export interface WritableAgent {
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

export interface WritableSkill {
  name: string
  description: string
  toolsets: string[]
  files?: SkillFileReference[] | undefined
  content: string
}

export interface WritableToolset {
  name: string
  description: string
  tools: string[]
  content: string
}

export interface WritableTool {
  name: string
  description: string
  content: string
}

/**
 * What Carnet's class takes: a parsed `carnet.manifest.json`, version 1. The keys are the names that
 * everything is asked for by. The members are writable as in Carnet's own types, so that code
 * written for those compiles; what an instance hands out is frozen.
 */
export interface WritableManifest {
  version: number
  app: AppConfig
  agents: Record<string, WritableAgent>
  skills: Record<string, WritableSkill>
  toolsets: Record<string, WritableToolset>
  tools: Record<string, WritableTool>
}

/** A file as it is listed: without its text when it goes to a model. */
export type SkillMetadata = Pick<WritableSkill, 'name' | 'description' | 'toolsets' | 'files'>

export type ToolsetMetadata = Pick<WritableToolset, 'name' | 'description' | 'tools'>

export type ToolMetadata = Pick<WritableTool, 'name' | 'description'>
