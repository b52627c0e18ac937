import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Lifetime } from './lifetime.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Principal } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A file a skill brings, listed when it loads and read only when asked for. */
export interface SkillFile {
  /** Relative to the skill's folder, with `/`; the only paths that can be read. */
  readonly path: string
  readonly description?: string
  /** Bytes. */
  readonly size: number
  readonly hash: ContentHash
}

/** What to do when another owner holds a tool's name: refuse (by default), win, or rename. */
export type OnConflict = 'refuse' | 'shadow' | 'namespace'

/** What a hook of a skill gets. */
export interface SkillHookContext {
  readonly skill: string
  readonly session: string
  /** Aborted when the hook runs out of time. */
  readonly signal: AbortSignal
  readonly services: unknown
  readonly principal: Principal | undefined
  /** True when an earlier process activated the skill and this one takes over. */
  readonly resumed: boolean
  /** True when the hook runs to take back another one, because a later hook failed. */
  readonly undo: boolean
}

export type SkillHook = (context: SkillHookContext) => void | Promise<void>

/** Reads one listed file of a skill; the loader that listed it supplies the reader. */
export type SkillFileReader = (path: string, signal?: AbortSignal) => Promise<string>

/** Instructions, tools, toolsets and files that are equipped together. */
export interface Skill {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly version: string
  readonly capabilities: readonly string[]
  /** The instructions the model reads while the skill is active, in Markdown. */
  readonly instructions: string
  /** Tools by value, or by name (`search`, `search@^1`) among the catalog's shared tools. */
  readonly tools: readonly (Tool | string)[]
  /** Toolsets by value, or by name in the catalog. */
  readonly toolsets: readonly (Toolset | string)[]
  readonly files: readonly SkillFile[]
  /** Words or requests that should bring this skill to mind. */
  readonly triggers: readonly string[]
  readonly whenToUse: string
  readonly tags: readonly string[]
  /** Skills activated with it, before it. */
  readonly requires: readonly string[]
  /** Skills that cannot be active beside it. */
  readonly conflicts: readonly string[]
  /** Skills whose tools it brings as its own. */
  readonly extends: readonly string[]
  /** No other skill, but for those it requires, is active beside it. */
  readonly exclusive: boolean
  readonly lifetime: Lifetime
  /** Other names a model may call it by. */
  readonly aliases: readonly string[]
  /** Permissions it asks for (`allowed-tools`); loading grants none of them. */
  readonly permissions: readonly string[]
  readonly onConflict: OnConflict
  readonly license?: string
  readonly compatibility?: string
  readonly metadata: Readonly<Record<string, string>>
  /** The folder it was read from, as the model is told it. */
  readonly baseDirectory?: string
  /** The SKILL.md it was read from. */
  readonly path?: string
  /** Findings from reading it; an error here means it was not loaded and is never in a catalog. */
  readonly diagnostics: readonly Diagnostic[]
  /** Covers everything a model may read, files by digest and tools by hash. */
  readonly hash: ContentHash
  readFile?: SkillFileReader
  onActivate?: SkillHook
  onDeactivate?: SkillHook
}
