import type { Cause } from './cause.ts'
import type { RemovalPrice } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Lifetime } from '../../skills/definition/lifetime.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'

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

/** Where a registration comes from. */
export const ToolSource = {
  /** A component's tool: there as long as the component is. */
  COMPONENT: 'component',
  /** A skill's tool: there while the skill is active. */
  SKILL: 'skill',
  /** Always there. */
  GLOBAL: 'global',
} as const

export type ToolSource = (typeof ToolSource)[keyof typeof ToolSource]

/** A claim with the entry that made it. */
export interface OpenClaim extends Claim {
  readonly since: number
}

/** An owner whose tools are registered, from the entry that opened it. */
export interface OpenSource {
  readonly source: ToolSource
  readonly owner: string
  readonly definition: ContentHash | null
  readonly claims: readonly OpenClaim[]
  /** Names it gave up while it stayed: a host that comes back does not bring them again. */
  readonly givenUp?: readonly string[]
  readonly lifetime: Lifetime
  /** Calls left of a `uses` lifetime; null without one. */
  readonly usesLeft: number | null
  readonly requested: boolean
  /** The turn its lifetime counts from; 1 before the first turn. */
  readonly turn: number
  /** The turn of the last call of one of its tools; `turn` before one. */
  readonly lastTurn: number
  readonly since: number
  readonly cause: Cause
}

/** An owner that was open once: where and why it went. */
interface ClosedSource {
  readonly source: ToolSource
  readonly owner: string
  readonly seq: number
  readonly cause: Cause
}

/** Which owners have their tools registered, and what became of the others. */
export interface SourceState {
  /** In the order they were opened. */
  readonly open: readonly OpenSource[]
  readonly closed: readonly ClosedSource[]
  /** Skills whose `onActivate` failed when the session was taken up. */
  readonly broken: readonly {
    readonly skill: string
    readonly seq: number
    readonly message: string
  }[]
}

export const EMPTY_SOURCES: SourceState = { open: [], closed: [], broken: [] }

/** Whether two sources are one owner's. */
export function sameOwner(
  a: Pick<OpenSource, 'source' | 'owner'>,
  b: Pick<OpenSource, 'source' | 'owner'>,
): boolean {
  return a.source === b.source && a.owner === b.owner
}

/** The owner, of source `global`, of the meta-tools; theirs are the names nobody can shadow. */
export const META_OWNER = 'loadout'

/** Whether a source is the one that brings the meta-tools. */
export function isMeta({ source, owner }: Pick<OpenSource, 'source' | 'owner'>): boolean {
  return source === 'global' && owner === META_OWNER
}
