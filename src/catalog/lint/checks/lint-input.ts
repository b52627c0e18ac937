import type { Catalog } from '../../create/catalog.ts'
import type { SkillFolder } from './lint-skill.ts'
import type { LintLevel } from '../codes/diagnostic-group.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { WorkspaceMeans } from '../../../skills/presuppositions.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** A tool that was read, with its file. */
export interface ToolFile {
  readonly tool: Tool
  readonly file: string
}

/** Input that only the level `native` needs. */
export interface NativeInput {
  readonly tools: readonly ToolFile[]
  /** The texts of all files that models read, by path. */
  readonly texts: ReadonlyMap<string, string>
  /** The variables of configurations, by file. */
  readonly variables: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** The permissions in a configuration. */
  readonly permissions: readonly PatternList[]
  /** Definitions that a search confuses. */
  readonly confused: readonly ConfusedDefinitions[]
  /** Sentences that say what was only checked in part. */
  readonly limits: readonly string[]
  /** The things that texts may name. */
  readonly means: WorkspaceMeans
  readonly counter: TokenCounter
}

/** A project as input for lint. */
export interface LintInput {
  readonly level: LintLevel
  readonly catalog: Catalog
  /** Everything that was found, including the configuration. */
  readonly items: readonly LintItem[]
  /** The folders of the skills in `items` that have one. */
  readonly skills: readonly SkillFolder[]
  /** Findings of the readers. */
  readonly diagnostics: readonly Diagnostic[]
  /** The folder for findings that belong to no item. */
  readonly root: string
  /** Null below `native`. */
  readonly native: NativeInput | null
}

/** The subject of a finding. `folder` is a folder that was given, for findings about no definition. */
export type LintKind = 'skill' | 'toolset' | 'tool' | 'agent' | 'rules' | 'config' | 'folder'

/** Something that was checked. */
export interface LintItem {
  readonly kind: LintKind
  readonly path: string
  /** Null if it was not loaded or has no name. */
  readonly name: string | null
}

/** An item with its findings. `error` means that it, or a part of it, was not loaded. */
export interface LintedItem extends LintItem {
  readonly status: 'ok' | 'warning' | 'error'
  /** In order of file, line and column. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Two tools or skills that a search confuses. */
export interface ConfusedDefinitions {
  readonly first: Pick<LintItem, 'kind'> & { readonly name: string }
  readonly second: Pick<LintItem, 'kind'> & { readonly name: string }
  /** Words that both contain. */
  readonly words: readonly string[]
  /** Phrases of one that find the other first. */
  readonly phrases: readonly string[]
}

/** A list of patterns, such as an agent's `tools` or a configuration's `permissions.deny`. */
export interface PatternList {
  /** The definition it is from, such as `The agent "writer"`. */
  readonly owner: string
  readonly field: string
  readonly patterns: readonly string[]
  /** True for tools that are taken away (`disallowed-tools`): the entries have the forms of clients. */
  readonly takesAway?: boolean
  /** The entries by which the same definition takes tools away. */
  readonly taken?: readonly string[]
  /** Arguments that rules look at, each with the pattern for its tools. */
  readonly paths?: readonly { readonly tool: string; readonly path: string }[]
  readonly file?: string
}
