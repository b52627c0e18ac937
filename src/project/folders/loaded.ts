import type { CarnetConfig } from '../../adapters/carnet/format/read-carnet-config.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { CarnetFolder } from '../config/load-config.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { TopicRules } from '../../tools/define-rules.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Where the handler of a tool that was read from disk stands. */
export interface HandlerFile {
  /** The tool as it was read, without a handler. */
  readonly tool: Tool
  /** The folder of the tool. */
  readonly folder: string
  /** Real path of `handler.ts`, `.js` or `.mjs`; null when there is none. */
  readonly path: string | null
  /** The given path it was found below, as its real path: what trust is asked for. */
  readonly root: string
}

/** One definition that was found, whether it could be loaded or not. */
export interface LoadedItem {
  readonly kind: 'skill' | 'toolset' | 'tool' | 'agent' | 'rules'
  /** The file it was read from. */
  readonly path: string
  /** What it goes by; null when it was not loaded, and a diagnostic of its file says why. */
  readonly name: string | null
}

/** What was read from disk. Nothing in it has run, and every tool of it is unbound. */
export interface Loaded {
  readonly skills: readonly Skill[]
  readonly toolsets: readonly Toolset[]
  /** Shared tools, from `tools/<name>/` of a given path and from Carnet's `TOOL.md` files. */
  readonly tools: readonly Tool[]
  readonly agents: readonly Agent[]
  /** From `rules/<topic>.md` of a given path. */
  readonly rules: readonly TopicRules[]
  /** One for each tool, shared or of a skill, but for those of which only Carnet's text is there. */
  readonly handlers: readonly HandlerFile[]
  /** Every definition found, in the order of the paths. */
  readonly items: readonly LoadedItem[]
  /** The given paths that are Carnet projects. */
  readonly carnet: readonly CarnetFolder[]
  readonly diagnostics: readonly Diagnostic[]
  /** How much was looked at. */
  readonly scanned: { readonly folders: number; readonly files: number }
}

/** What one folder, or one file, gave. */
export type Found = Omit<Loaded, 'carnet' | 'tools' | 'scanned'> & {
  /** Shared tools that no handler belongs to. */
  readonly tools: readonly Tool[]
  /** Shared tools with the place of their handlers. */
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
  items: [],
  diagnostics: [],
  files: 0,
}

/** Everything that several folders gave, in their order. */
export function joinFound(parts: readonly Found[]): Found {
  return {
    skills: parts.flatMap(({ skills }) => skills),
    toolsets: parts.flatMap(({ toolsets }) => toolsets),
    tools: parts.flatMap(({ tools }) => tools),
    agents: parts.flatMap(({ agents }) => agents),
    rules: parts.flatMap(({ rules }) => rules),
    shared: parts.flatMap(({ shared }) => shared),
    handlers: parts.flatMap(({ handlers }) => handlers),
    items: parts.flatMap(({ items }) => items),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    files: parts.reduce((sum, { files }) => sum + files, 0),
  }
}

/** What holds for everything below one given path. */
export interface RootContext {
  /** Real path of the given folder. */
  readonly root: string
  readonly options: ResolvedOptions
  /** The configuration of a Carnet project; null for any other folder. */
  readonly carnet: CarnetConfig | null
  /** Whether a definition's file is to be read, by its path: a Carnet project may leave some out. */
  keeps(path: string): boolean
  /** Whether a file or folder of a skill is left out, by its path. */
  excludes(path: string): boolean
}
