import type { Cause } from './cause.ts'
import type { RemovalPrice } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Lifetime, OpenLifetime } from '../../skills/definition/lifetime.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'

/** A tool's name as its owner registered it. */
export interface Claim {
  /** The name it is registered with; `owner__name` when it gave way to another tool. */
  readonly name: string
  /** The name in its definition. */
  readonly definedAs: string
  /** The name that its server has for it; absent when that is `definedAs` without the server and `_`. */
  readonly nameOnServer?: string
  readonly hash: ContentHash
  readonly version: string
  readonly onConflict: OnConflict
  /** The process that registered it had a handler for it. */
  readonly bound: boolean
  /** The process that registered it had a condition for the calls that it asks about. */
  readonly conditional?: true
  /**
   * The host does not trust the definition to describe itself correctly: its risk, and that it need
   * not ask.
   */
  readonly trusted?: false
}

/** Events about the owners of tools. */
export type SourceEvent =
  | {
      readonly type: 'source.opened'
      readonly source: ToolSource
      /** Skill name, component key, server name, or `global`. */
      readonly owner: string
      /** Hash of the owner's definition; null for `global`. */
      readonly definition: ContentHash | null
      readonly claims: readonly Claim[]
      readonly lifetime: OpenLifetime
      /** False when only another skill's requirement brought it. */
      readonly requested: boolean
      /** The arguments a skill was activated with; absent without any. */
      readonly arguments?: string
      /** Means that the text of a skill presupposes, such as `shell`; absent without any. */
      readonly presupposes?: readonly string[]
      /** Of this, what neither a tool nor a skill of the workspace gives; absent when nothing is missing. */
      readonly lacks?: readonly string[]
      /** The approval that its activation by a condition consumes; absent when nobody was asked. */
      readonly confirmation?: string
    }
  /**
   * The terms of an active skill changed: one that only a requirement brought was requested itself,
   * or one whose own lifetime ended is still required.
   */
  | {
      readonly type: 'source.kept'
      readonly owner: string
      readonly requested: boolean
      readonly lifetime: Lifetime
      readonly arguments?: string
    }
  | {
      readonly type: 'source.closed'
      readonly source: ToolSource
      readonly owner: string
      /** The names that were unregistered; null when the owner left with all of its tools. */
      readonly names: readonly string[] | null
      /** For a skill: the tokens that its leaving frees and loses. Absent without a counter. */
      readonly price?: RemovalPrice
    }
  /** An owner gave the list of all its tools, which differs from those it had. */
  | {
      readonly type: 'source.synced'
      readonly source: SyncedSource
      readonly owner: string
      /** All claims of the tools that it added or changed. */
      readonly claims: readonly Claim[]
      /** Of these, the names of the tools that it had before with another definition. */
      readonly changed: readonly string[]
      /** Of these, the names of the tools whose definition is not the one that was agreed to. */
      readonly quarantined: readonly string[]
      /** The tools that it no longer has, by the names in their definitions. */
      readonly removed: readonly string[]
      /** The active skill that brings the server; absent when the host attached it. */
      readonly bringer?: string
      /** The server's own text for a model, empty for none; absent when it is the same as before. */
      readonly instructions?: string
      /** All tools of the server that are left out, or parts of them; absent when they are the same as before. */
      readonly leftOut?: readonly LeftOut[]
    }
  /** The changed definition of an active skill was accepted. */
  | {
      readonly type: 'source.accepted'
      readonly owner: string
      readonly definition: ContentHash
      readonly claims: readonly Claim[]
    }

/** The kinds of owners of tools. */
export const ToolSource = {
  /** A component's tool, registered for as long as the component is. */
  COMPONENT: 'component',
  /** A skill's tool, registered while the skill is active. */
  SKILL: 'skill',
  /** A tool that is always registered. */
  GLOBAL: 'global',
  /** A tool of a server, registered while the server is attached and lists it. */
  SERVER: 'server',
} as const

export type ToolSource = (typeof ToolSource)[keyof typeof ToolSource]

/** The kinds of owners that give all their tools at once. */
export type SyncedSource = typeof ToolSource.COMPONENT | typeof ToolSource.SERVER

/** A tool that its owner no longer has. */
export interface GoneTool {
  /** The name it was registered with. */
  readonly name: string
  readonly definedAs: string
  /** The entry that removed it. */
  readonly seq: number
}

/** A tool that its owner has and that is left out, because a provider or the workspace cannot take it. */
export interface LeftOut {
  /** The name that it would have in the session. */
  readonly name: string
  readonly reason: string
  /** The part that is left out; absent when it is all of the tool. */
  readonly part?: 'output schema'
  /** Another tool has its name. */
  readonly taken?: true
}

/** A claim with the entry that registered it. */
export interface OpenClaim extends Claim {
  readonly since: number
}

/** An owner whose tools are registered, since the entry that opened it. */
export interface OpenSource {
  readonly source: ToolSource
  readonly owner: string
  readonly definition: ContentHash | null
  readonly claims: readonly OpenClaim[]
  /**
   * Names that were unregistered while it stayed: a host that comes back does not register them
   * again.
   */
  readonly givenUp?: readonly string[]
  /** The tools that it dropped from its list, latest last, at most a thousand. */
  readonly gone?: readonly GoneTool[]
  /** Its tools that are left out, or parts of them, with the entry that says so. */
  readonly leftOut?: { readonly seq: number; readonly tools: readonly LeftOut[] }
  readonly lifetime: OpenLifetime
  /** Calls left of a `uses` lifetime; null without one. */
  readonly usesLeft: number | null
  readonly requested: boolean
  /** The active skill that brings a server; absent when the host attached it. */
  readonly bringer?: string
  /** A server's own text for a model; not trusted. */
  readonly instructions?: string
  /** The arguments a skill was activated with: the text for the placeholders in its instructions. */
  readonly arguments?: string
  /** Means that a skill presupposes and the workspace lacked when it was activated. */
  readonly lacks?: readonly string[]
  /** The turn its lifetime counts from; 1 before the first turn. */
  readonly turn: number
  /** The turn of the last call of one of its tools; before a call, the same as `turn`. */
  readonly lastTurn: number
  readonly since: number
  readonly cause: Cause
}

/** An owner that was open once, with the entry and cause of its leaving. */
interface ClosedSource {
  readonly source: ToolSource
  readonly owner: string
  readonly seq: number
  readonly cause: Cause
  /** For a server: the tools that it had, or had dropped before. */
  readonly gone?: readonly GoneTool[]
}

/** The owners whose tools are registered, and those that have left. */
export interface SourceState {
  /** In the order they were opened. */
  readonly open: readonly OpenSource[]
  readonly closed: readonly ClosedSource[]
  /** Skills whose `onActivate` failed when the session was resumed. */
  readonly broken: readonly {
    readonly skill: string
    readonly seq: number
    readonly message: string
  }[]
  /** In the order in which their names came. */
  readonly registered: readonly RegisteredSkill[]
}

export const EMPTY_SOURCES: SourceState = { open: [], closed: [], broken: [], registered: [] }

/** Skills that are added to the catalog of one session, and removed from it. */
export type SkillRegistrationEvent =
  | {
      readonly type: 'skill.registered'
      readonly skill: string
      readonly definition: ContentHash
      /** Absent for a skill that the host trusts. */
      readonly trusted?: false
    }
  | { readonly type: 'skill.unregistered'; readonly skill: string }

/** A skill that this session has in addition to the catalog of its host. */
export interface RegisteredSkill {
  readonly skill: string
  readonly definition: ContentHash
  readonly trusted: boolean
  /** The entry that registered it. */
  readonly since: number
  readonly cause: Cause
}

/** Returns true when two sources have the same owner. */
export function sameOwner(
  a: Pick<OpenSource, 'source' | 'owner'>,
  b: Pick<OpenSource, 'source' | 'owner'>,
): boolean {
  return a.source === b.source && a.owner === b.owner
}

/** The owner of the meta-tools, with the source `global`. No tool can shadow their names. */
export const META_OWNER = 'loadout'

/** The name of the meta-tool with which a model activates a skill. */
export const LOAD_SKILL = 'loadSkill'

/** The name of the meta-tool that reads on in results. It is offered from the first one that was cut. */
export const READ_RESULT = 'read_result'

export const LOAD_SKILL_FILE = 'loadSkillFile'

/** Returns true for the source of the meta-tools. */
export function isMeta({ source, owner }: Pick<OpenSource, 'source' | 'owner'>): boolean {
  return source === 'global' && owner === META_OWNER
}

/**
 * Returns the turn that an event belongs to. Events before the first message, such as initial skills, belong to the
 * first turn, and events after the end of a turn to the next one. Otherwise their lifetimes would be a turn too short.
 */
export function currentTurn({
  turn,
  endedTurn,
}: {
  readonly turn: number
  readonly endedTurn: number
}): number {
  return Math.max(1, endedTurn === turn ? turn + 1 : turn)
}
