import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Lifetime, OnConflict } from '../../skills/definition/skill.ts'
import type { RemovalPrice } from './removal-price.ts'
import type { ToolSource } from './tool-source.ts'

/** A tool's name as its owner registered it. */
export interface Claim {
  /** The name it goes by; `owner__name` when it was moved out of the way of another. */
  readonly name: string
  /** The name in its definition. */
  readonly definedAs: string
  readonly hash: ContentHash
  readonly version: string
  readonly onConflict: OnConflict
  /** Whether the process that registered it had a handler for it. */
  readonly bound: boolean
  /** The host does not vouch for what the definition says of itself: its risk, that it need not ask. */
  readonly trusted?: false
}

/** Owners come with their tools, stay, change and go. */
export type SourceEvent =
  | {
      readonly type: 'source.opened'
      readonly source: ToolSource
      /** Skill name, component key, or `global`. */
      readonly owner: string
      /** Hash of the owner's definition; null for `global`. */
      readonly definition: ContentHash | null
      readonly claims: readonly Claim[]
      readonly lifetime: Lifetime
      /** False when only another skill's requirement brought it. */
      readonly requested: boolean
    }
  /**
   * An active skill stays on other terms: one that a requirement had brought was asked for itself,
   * or one whose own lifetime ended is still required.
   */
  | {
      readonly type: 'source.kept'
      readonly owner: string
      readonly requested: boolean
      readonly lifetime: Lifetime
    }
  | {
      readonly type: 'source.closed'
      readonly source: ToolSource
      readonly owner: string
      /** Names given up; null when the owner leaves with all it has. */
      readonly names: readonly string[] | null
      /** For a skill: what its going frees and loses. Absent where nobody counts. */
      readonly price?: RemovalPrice
    }
  /** A resumed skill whose definition changed was accepted with its new one. */
  | {
      readonly type: 'source.accepted'
      readonly owner: string
      readonly definition: ContentHash
      readonly claims: readonly Claim[]
    }
