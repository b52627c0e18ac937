import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { TopicRules } from '../../tools/rule.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import type { CarnetConfig } from '../../adapters/carnet/format/read-carnet-config.ts'
import type { Skill } from '../../skills/definition/skill.ts'

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

/** A folder that is a Carnet project, and what it says of itself. */
export interface CarnetFolder {
  readonly folder: string
  readonly config: CarnetConfig
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
