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
