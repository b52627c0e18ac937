import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Catalog } from '../../create/catalog.ts'
import type { ConfusedPair } from './check-confused.ts'
import type { PatternList } from './check-patterns.ts'
import type { LintItem } from './lint-item.ts'
import type { LintLevel } from '../codes/lint-level.ts'
import type { SkillFolder } from './lint-skill.ts'

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
  readonly confused: readonly ConfusedPair[]
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
