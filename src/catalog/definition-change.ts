import type { JsonChange } from './json-changes.ts'

export type DefinitionKind = 'skill' | 'tool' | 'toolset' | 'agent' | 'rules'

/** What changed in one field of a definition. */
export type FieldChange =
  /** A text of several lines. */
  | { readonly field: string; readonly what: 'text'; readonly diff: string }
  /** A schema, or another value with parts. */
  | { readonly field: string; readonly what: 'parts'; readonly parts: readonly JsonChange[] }
  | {
      readonly field: string
      readonly what: 'value'
      readonly before?: unknown
      readonly after?: unknown
    }
  /** Members by name: the tools or files of a skill. */
  | {
      readonly field: string
      readonly what: 'members'
      readonly added: readonly string[]
      readonly removed: readonly string[]
      readonly changed: readonly string[]
    }

/** One definition that is not the same in both. */
export interface DefinitionChange {
  readonly kind: DefinitionKind
  /** A tool of a skill is `skill/tool`; one of several versions has `@version`. */
  readonly name: string
  readonly what: 'added' | 'removed' | 'changed'
  /** Empty unless it changed. */
  readonly fields: readonly FieldChange[]
}
