import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Tool } from '../../registry/tool.ts'
import type { Toolset } from '../../registry/toolset.ts'
import type { Skill } from '../../skills/skill.ts'

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

/** What was read from disk. Nothing in it has run, and every tool of it is unbound. */
export interface Loaded {
  readonly skills: readonly Skill[]
  readonly toolsets: readonly Toolset[]
  /** Shared tools, from `tools/<name>/` of a given path. */
  readonly tools: readonly Tool[]
  /** One for each tool, shared or of a skill. */
  readonly handlers: readonly HandlerFile[]
  readonly diagnostics: readonly Diagnostic[]
  /** How much was looked at. */
  readonly scanned: { readonly folders: number; readonly files: number }
}
