import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { Entry, ExposedTool } from '../../engine/model/event.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { ImmediateLog } from './immediate-log.ts'
import type { ScriptRequest, ScriptRun } from '../offer/meta-tools/script-run.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** One session of a log, for listings. */
export interface SessionSummary {
  readonly session: string
  /** Entries in it; also the version the next append must expect. */
  readonly version: number
  /** Wall clock of its first and last entry, milliseconds since 1970. */
  readonly openedAt: number
  readonly changedAt: number
  /**
   * Why what is said here cannot be relied on, and the session not be read; absent where nothing is
   * wrong. Damage further in is found by reading.
   */
  readonly damage?: string
}

/**
 * Where sessions are kept. An append that returned is durable in the mode the
 * implementation names; memory never runs ahead of it.
 */
export interface EventLog {
  /**
   * Add entries after the first `expectedVersion` ones, all or none.
   * Throws `LOG_CONFLICT` when the log holds another number of entries, or another one before
   * them than that with the hash `after` (`entryHash`): then the session was deleted and begun anew since that was read.
   */
  append(
    session: string,
    expectedVersion: number,
    entries: readonly Entry[],
    after?: ContentHash,
  ): Promise<void>
  /**
   * Entries from `from` (0 by default) in order, up to and with `last` (all by default), in the form
   * of this version; empty for an unknown session. Throws `LOG_DAMAGED`.
   */
  read(session: string, from?: number, last?: number): Promise<readonly Entry[]>
  list(): Promise<readonly SessionSummary[]>
  delete(session: string): Promise<void>
  /** The very definitions and file digests sessions used, by content hash. */
  readonly definitions: {
    put(hash: ContentHash, definition: JsonValue): Promise<void>
    get(hash: ContentHash): Promise<JsonValue | undefined>
  }
  /** Folded states, so that a long session need not be read whole; absent where nobody keeps them. */
  readonly snapshots?: SnapshotStore
  /**
   * Call `listener` soon after a session has changed, whoever changed it; absent where nobody can
   * tell. Changes in quick succession may be told at once, and now and then there is nothing new.
   *
   * Resolves, when nothing from then on is missed, to what ends it. Connections that are lost are
   * made anew. The listener must not throw.
   */
  follow?(session: string, listener: () => void): Promise<() => Promise<void>>
  /** There when the log commits at once. */
  readonly immediate?: ImmediateLog
}

/** Runs the scripts of skills, outside of this process and within limits; `loadout/node` has one. */
export interface ScriptRunner {
  /** Milliseconds after which a run has ended, one way or another. */
  readonly timeoutMs: number
  /** Rejects with a `WorkspaceError` when the script does not run. */
  run(request: ScriptRequest): Promise<ScriptRun>
}

/** Time, for entries, expiries and durations. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Never goes back within a process, milliseconds. */
  monotonic(): number
}

/** What a strategy is asked about one step. */
export interface ExposureRequest {
  /** What can be called now, in table order, meta-tools among them. */
  readonly available: readonly Tool[]
  /**
   * What may be left out unless it is found: with search on, the names of available tools that are
   * neither meta-tools, pinned, nor of an active skill. Empty without search.
   */
  readonly hidden: ReadonlySet<string>
  /** Found by search and not evicted, in the order of finding; those of inactive skills are not in `available`. */
  readonly found: readonly Tool[]
  /** Names of the meta-tools and of the tools that are pinned, whether they are available or not. */
  readonly pinned: ReadonlySet<string>
  /** What the last step sent, in its order; null before the first. */
  readonly previous: readonly ExposedTool[] | null
  /** A definition that was sent before, by hash: it may be gone from `available`. */
  tool(hash: ContentHash): Tool | undefined
}

/** The tools one request carries. */
export interface ExposurePlan {
  /** In the order they are sent. */
  readonly tools: readonly Tool[]
  /** Names among `tools` that the provider keeps out of the prompt until they are asked for. */
  readonly deferred: ReadonlySet<string>
}

/** How a change of tools reaches the model. Whatever it shows, calls are judged by the engine. */
export interface ExposureStrategy {
  readonly name: string
  /** What left stays in the request, so that taking a tool away frees nothing and loses nothing. */
  readonly keepsGone?: boolean
  /** Most tools are called through `call_tool`, so the prompt lists their arguments. */
  readonly bridges?: boolean
  /** Called once a step, in the session's queue; a rejection refuses the step and changes nothing. */
  plan(request: ExposureRequest): Promise<ExposurePlan> | ExposurePlan
}
