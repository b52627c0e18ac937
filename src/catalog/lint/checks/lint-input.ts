import type { Catalog } from '../../create/catalog.ts'
import type { SkillFolder } from './lint-skill.ts'
import type { LintLevel } from '../codes/diagnostic-group.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** A tool that was read, with the file it stands in. */
export interface ToolFile {
  readonly tool: Tool
  readonly file: string
}

/** What only the level `native` looks at. */
export interface NativeInput {
  readonly tools: readonly ToolFile[]
  /** The texts of all files that models read, by path. */
  readonly texts: ReadonlyMap<string, string>
  /** What a configuration says of permissions. */
  readonly permissions: readonly PatternList[]
  /** What a search takes for another. */
  readonly confused: readonly ConfusedDefinitions[]
  /** What was not looked at as a whole, as sentences. */
  readonly limits: readonly string[]
  readonly counter: TokenCounter
}

/** A project as lint looks at it. */
export interface LintInput {
  readonly level: LintLevel
  readonly catalog: Catalog
  /** Everything that was found, the configuration included. */
  readonly items: readonly LintItem[]
  /** The folder of every skill among them that has one. */
  readonly skills: readonly SkillFolder[]
  /** Findings of those who read it. */
  readonly diagnostics: readonly Diagnostic[]
  /** The folder that findings about nothing else go to. */
  readonly root: string
  /** Null below `native`. */
  readonly native: NativeInput | null
}

/** What a finding can be about. `folder` is one that was given, for what concerns no definition. */
export type LintKind = 'skill' | 'toolset' | 'tool' | 'agent' | 'rules' | 'config' | 'folder'

/** Something that was looked at. */
export interface LintItem {
  readonly kind: LintKind
  readonly path: string
  /** What it goes by; null when it was not loaded, and where it has no name. */
  readonly name: string | null
}

export type LintStatus = 'ok' | 'warning' | 'error'

/** An item with what was found. `error` means that it, or a part of it, was not loaded. */
export interface LintedItem extends LintItem {
  readonly status: LintStatus
  /** By file, line and column. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A tool or skill that a search takes for another one. */
export interface ConfusedDefinitions {
  readonly first: Pick<LintItem, 'kind'> & { readonly name: string }
  readonly second: Pick<LintItem, 'kind'> & { readonly name: string }
  /** What both of them say. */
  readonly words: readonly string[]
  /** Phrases of one that find the other first. */
  readonly phrases: readonly string[]
}

/** A list of patterns, such as an agent's `tools` or a configuration's `permissions.deny`. */
export interface PatternList {
  /** Who says it, such as `The agent "writer"`. */
  readonly owner: string
  readonly field: string
  readonly patterns: readonly string[]
  readonly file?: string
}
