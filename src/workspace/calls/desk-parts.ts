import type { SessionJournal } from '../commands/session-journal.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { CallClient } from '../../tools/definition/call-client.ts'
import type { OnCallOutput } from '../../tools/definition/tool-context.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { ResultWindow } from './handlers/result-window.ts'
import type { CallBudget } from './request/call-budget.ts'
import type { CallLimits } from './request/call-limits.ts'
import type { CallProgress, HandlerError } from './request/call-request.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import type { LoadingCheck } from '../commands/loading-question.ts'
import type { KnownIntents } from './intents/check-intents.ts'
import type { Randomness } from '../log/clock.ts'
import type { AttachedServers } from '../servers/attached-servers.ts'

/** Stores the data of results, of which the log keeps only the digest. */
export interface BlobStore {
  /**
   * Stores data under its digest, before its call ends. The same data may be stored again. If this fails, the
   * result has a warning.
   */
  put(blob: StoredBlob): Promise<void> | void
  /**
   * Returns data that was stored, for a call that is made again; null when it is gone. Absent: a sentence replaces it.
   */
  get?(digest: ContentHash): Promise<Uint8Array | null> | Uint8Array | null
}

export interface StoredBlob {
  readonly digest: ContentHash
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** The desk of calls: what the calls of a session work with, besides its journal. */
export interface DeskParts extends SessionJournal {
  readonly limits: CallLimits
  /** Milliseconds until a question about a call expires. That of a stored session waits as long as the session. */
  readonly questionMs: number
  readonly inFlight: CallsInFlight
  /** The servers that this session is connected to. */
  readonly servers: AttachedServers
  /** The intents that results may contain. */
  readonly intents: KnownIntents
  /** Keeps approvals beyond the session; undefined when the host keeps none. */
  readonly approvals: ApprovalStore | undefined
  /** Limits the calls of a principal over its sessions; undefined when the host sets no such limit. */
  readonly budget: CallBudget | undefined
  /** Stores the data of results; undefined when the host stores none. */
  readonly blobs: BlobStore | undefined
  /** True to keep results in the log, for calls that are made again. */
  readonly keepResults: boolean
  /** True to keep in the log what a model did not get of a result. */
  readonly keepsRest: boolean
  /** Counts the tokens of what a model reads. */
  readonly counter: TokenCounter
  /** The part of the window that results may fill. */
  readonly window: ResultWindow
  /** True where arguments are repaired, unless their tool says otherwise. */
  readonly repairArguments: boolean
  /** Offers the model the meta-tool that reads on in results. Resolves with false when it cannot be offered. */
  offerReading(): Promise<boolean>
  /** True to keep the redacted arguments of a call with the question about it. */
  readonly keepArguments: boolean
  /** Describes skills that a person is asked about; undefined when the host asks about none. */
  readonly loading: LoadingCheck | undefined
  /** Counts the tokens of calls, for metrics; null when they are not counted. */
  readonly callCounter: TokenCounter | null
  /** The host's own functions for handlers that ask; for calls without a client that has them. */
  readonly client: CallClient
  /** Spreads retries. */
  readonly randomness: Randomness
  readonly listeners: CallListeners
}

/** The host's own listeners. One that throws or rejects leads to a warning of the process, and changes no call. */
export interface CallListeners {
  /** Notified of the progress that handlers report. */
  onProgress?(progress: CallProgress): void
  /** Notified of exceptions of handlers, whose text the model does not get. */
  onHandlerError?(thrown: HandlerError): void
  /** Notified of intermediate outputs of handlers that yield them. */
  onOutput?: OnCallOutput
}
