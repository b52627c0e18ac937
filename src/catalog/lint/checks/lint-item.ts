import type { Diagnostic } from '../../../kernel/diagnostic.ts'

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
