import type { Agent, Diagnostic, Skill, Tool, Toolset, TopicRules } from '../../../entries/index.ts'
import type { CarnetConfig } from '../../../connections/carnet/format/read-carnet-config.ts'
import type { CarnetFolder } from '../config/load-config.ts'
import type { ServerSource } from '../servers/server-source.ts'
import type { LinkReach } from '../walk/link-reach.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'

/** The code of a tool that was read from disk. */
export interface HandlerFile {
  /** The tool without a handler; a tool that is one file has its own. */
  readonly tool: Tool
  /** The file of its definition. */
  readonly file: string
  /** The folder of the tool; null for a tool that is one file. */
  readonly folder: string | null
  /** Real path of `handler.ts`, `.js` or `.mjs`, or of the one file; null when there is none. */
  readonly path: string | null
  /** Real path of the given path it was found below, for which trust is checked. */
  readonly root: string
}

/** A file of code that defines one tool. Nothing is known of the tool until the code may run. */
export interface ToolModule {
  readonly file: string
  /** Its real path. */
  readonly path: string
  /** Real path of the given path it was found below, for which trust is checked. */
  readonly root: string
  /** The `SKILL.md` of the skill that brings the tool; null for a shared tool. */
  readonly skill: string | null
  /** The topic of that skill, for a tool that names none. */
  readonly topic?: string
}

/** One definition that was found, even if it could not be loaded. */
export interface LoadedItem {
  readonly kind: 'skill' | 'toolset' | 'tool' | 'agent' | 'rules'
  /** The file of the definition. */
  readonly path: string
  /** Its name; null when it was not loaded, and a diagnostic of its file gives the reason. */
  readonly name: string | null
}

/**
 * The definitions that were read from disk. None of their code has run, and all tools are unbound.
 * `bindHandlers` runs the code of trusted folders.
 */
export interface Loaded {
  readonly skills: readonly Skill[]
  readonly toolsets: readonly Toolset[]
  /** Shared tools, from `tools/<name>/` of a given path and from Carnet's `TOOL.md` files. */
  readonly tools: readonly Tool[]
  readonly agents: readonly Agent[]
  /** From `rules/<topic>.md` of a given path. */
  readonly rules: readonly TopicRules[]
  /**
   * One for each tool, shared or of a skill, except for tools that only Carnet's text describes.
   */
  readonly handlers: readonly HandlerFile[]
  /** The tools in `tools/<name>.ts`, whose code has not run. */
  readonly toolModules: readonly ToolModule[]
  /** The files of servers next to skills and toolsets. Nothing of them is started or connected. */
  readonly serverSources: readonly ServerSource[]
  /** Every definition found, in the order of the paths. */
  readonly items: readonly LoadedItem[]
  /** The given paths that are Carnet projects. */
  readonly carnet: readonly CarnetFolder[]
  readonly diagnostics: readonly Diagnostic[]
  /** Number of folders and files read. */
  readonly scanned: { readonly folders: number; readonly files: number }
}

/** The definitions of one folder or file. */
export type Found = Omit<Loaded, 'carnet' | 'tools' | 'scanned'> & {
  /** Shared tools without a handler file. */
  readonly tools: readonly Tool[]
  /** Shared tools with their handler files. */
  readonly shared: readonly HandlerFile[]
  readonly files: number
}

export const NOTHING_FOUND: Found = {
  skills: [],
  toolsets: [],
  tools: [],
  agents: [],
  rules: [],
  shared: [],
  handlers: [],
  toolModules: [],
  serverSources: [],
  items: [],
  diagnostics: [],
  files: 0,
}

/** Joins the definitions of several folders, in their order. */
export function joinFound(parts: readonly Found[]): Found {
  return {
    skills: parts.flatMap(({ skills }) => skills),
    toolsets: parts.flatMap(({ toolsets }) => toolsets),
    tools: parts.flatMap(({ tools }) => tools),
    agents: parts.flatMap(({ agents }) => agents),
    rules: parts.flatMap(({ rules }) => rules),
    shared: parts.flatMap(({ shared }) => shared),
    handlers: parts.flatMap(({ handlers }) => handlers),
    toolModules: parts.flatMap(({ toolModules }) => toolModules),
    serverSources: parts.flatMap(({ serverSources }) => serverSources),
    items: parts.flatMap(({ items }) => items),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    files: parts.reduce((sum, { files }) => sum + files, 0),
  }
}

/** The settings for everything below one given path. */
export interface RootContext {
  /** Real path of the given folder. */
  readonly root: string
  readonly options: ResolvedOptions
  /** The configuration of a Carnet project; null for any other folder. */
  readonly carnet: CarnetConfig | null
  /** Says where links to folders may lead. The files of a skill never lead out of its folder. */
  readonly reaches: LinkReach
  /** Returns true when a definition's file should be read; a Carnet project may leave some out. */
  keeps(path: string): boolean
  /** Returns true when a file or folder of a skill is left out. */
  excludes(path: string): boolean
}
