/** Skills that every agent of a project has in addition to its own lists. */
export interface AppConfig {
  globalInitialSkills: string[]
  globalSkills: string[]
}

export interface WritableAgent {
  name: string
  description: string
  initialSkills: string[]
  /** Skills it may load in addition to the initial ones; without any it may load no others. */
  skills: string[]
  prompt: string
}

/** A file of a skill with its text, as the manifest stores it. */
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

/** The text about a tool; the host registers its schema and its code. */
export interface WritableTool {
  name: string
  description: string
  content: string
}

/**
 * A parsed `carnet.manifest.json`, version 1, as Carnet's class takes it. The keys are the names by
 * which everything is requested. The members are writable as in Carnet's own types, so that code
 * written for those compiles; the objects that an instance returns are frozen.
 */
export interface WritableManifest {
  version: number
  app: AppConfig
  agents: Record<string, WritableAgent>
  skills: Record<string, WritableSkill>
  toolsets: Record<string, WritableToolset>
  tools: Record<string, WritableTool>
}

/** A skill without its text. Its files have no texts when a model reads it. */
export type SkillMetadata = Pick<WritableSkill, 'name' | 'description' | 'toolsets' | 'files'>

export type ToolsetMetadata = Pick<WritableToolset, 'name' | 'description' | 'tools'>

export type ToolMetadata = Pick<WritableTool, 'name' | 'description'>

/** A manifest of Carnet 0.3.1: its toolsets describe their tools, and files may have no text. */
export interface InlineManifest extends Omit<WritableManifest, 'skills' | 'toolsets' | 'tools'> {
  skills: Record<string, Omit<WritableSkill, 'files'> & { files?: InlineFile[] | undefined }>
  toolsets: Record<string, Omit<WritableToolset, 'tools'> & { tools: ToolMetadata[] }>
}

type InlineFile = Omit<SkillFileReference, 'content'> & { content?: string | undefined }

/** The versions of Carnet that differ in manifests and prompts. */
export type CarnetVersion = '0.3.0' | '0.3.1'

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

/**
 * A `carnet.manifest.json`, version 1, as `carnet build` of 0.3.0 writes it. Definitions are stored
 * under their names; the name inside an entry is the one that counts.
 */
export type CarnetManifest = DeepReadonly<WritableManifest>

export type CarnetApp = CarnetManifest['app']

export type CarnetAgent = DeepReadonly<WritableAgent>

/** A file of a skill, with its text. */
export type CarnetFile = DeepReadonly<SkillFileReference>

export type CarnetSkill = DeepReadonly<WritableSkill>

export type CarnetToolset = DeepReadonly<WritableToolset>

export type CarnetTool = DeepReadonly<WritableTool>

/** The only version of the format. */
export const CARNET_MANIFEST_VERSION = 1
