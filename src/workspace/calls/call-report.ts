import type { SessionJournal } from '../commands/session-journal.ts'
import type { BackgroundResult } from '../../engine/model/call-event.ts'
import { type NameHistory, nameHistory } from '../../engine/explain/name-history.ts'
import type { Entry, WorkspaceEvent } from '../../engine/model/workspace-event.ts'
import { serialQueue } from '../../kernel/serial-queue.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'
import type { DeskParts } from './desk-parts.ts'
import { endLifetimes } from './end-lifetimes.ts'
import { workspaceClosed } from '../commands/dispatcher.ts'
import { LONGEST_TIMER_MS, pause } from '../commands/with-time-limit.ts'

/** The log's report of a call, from whichever process. */
export interface CallReport {
  readonly call: string
  readonly tool: string
  readonly owner: string
  readonly caller: Caller
  /** The call whose handler made it; null for the others. */
  readonly within: string | null
  /** `abandoned`: the process that ran it is gone, and what it did is unknown. */
  readonly status: 'running' | 'done' | 'failed' | 'abandoned'
  readonly background: boolean
  /** The entry that started it. */
  readonly since: number
  /** The entry that ended it; null while the call runs. */
  readonly seq: number | null
  readonly error: ErrorType | null
  readonly durationMs: number | null
  /** The result of a background call that ended. Other results go to the caller alone. */
  readonly result: BackgroundResult | null
}

/** Continues the report of a call with later entries; the report of the latest call with that id. */
function continuedReport(
  before: CallReport | null,
  entries: readonly Entry[],
  id: string,
): CallReport | null {
  return entries.reduce<CallReport | null>((report, entry) => {
    const { event } = entry
    if (event.type === 'call.started' && event.call === id) return startedReport(entry.seq, event)
    return report !== null && 'call' in event && event.call === id
      ? updatedReport(report, entry)
      : report
  }, before)
}

function startedReport(
  since: number,
  event: Extract<Entry['event'], { type: 'call.started' }>,
): CallReport {
  const { call, tool, owner, caller, within = null } = event
  const running = { status: 'running', background: false } as const
  const open = { seq: null, error: null, durationMs: null, result: null }
  return { call, tool, owner, caller, within, ...running, since, ...open }
}

function updatedReport(report: CallReport, { seq, event }: Entry): CallReport {
  if (event.type === 'call.detached') return { ...report, background: true }
  if (event.type === 'call.abandoned') return { ...report, status: 'abandoned', seq }
  if (event.type !== 'call.ended') return report
  const { ok, error, durationMs, result = null } = event
  return { ...report, status: ok ? 'done' : 'failed', seq, error, durationMs, result }
}

/** Entries that are read at a time. */
const PAGE = 500

/** Reads the report of one call: from the call's own entry on, each entry once. */
class CallReportReader {
  readonly #call: string
  readonly #parts: DeskParts
  #report: CallReport | null = null
  /** The next entry to read; null until the call's own entry is known. */
  #next: number | null = null

  constructor(call: string, parts: DeskParts) {
    this.#call = call
    this.#parts = parts
    const running = parts.store.getState().state.calls.find((one) => one.call === call)
    this.#next = running?.since ?? null
  }

  /** Reads what is new. Returns null for a call the session never made. */
  async read(): Promise<CallReport | null> {
    const { log, session } = this.#parts
    this.#next ??= await startOf(this.#call, this.#parts)
    if (this.#next === null) return null
    while (this.#report === null || this.#report.status === 'running') {
      const page = await log.read(session, this.#next, this.#next + PAGE - 1)
      this.#report = continuedReport(this.#report, page, this.#call)
      this.#next += page.length
      if (page.length < PAGE) break
    }
    return this.#report
  }
}

/**
 * The entries that started the calls of a session, found from the end of the log. It reads each entry once,
 * however many calls are looked up: a client may ask for calls that were never made.
 */
class CallStarts {
  readonly #starts = new Map<string, number>()
  readonly #inTurn = serialQueue()
  /** The entries from `first` to before `next` are read. */
  #first: number
  #next: number

  constructor({ store }: SessionJournal) {
    this.#first = store.getState().state.seq + 1
    this.#next = this.#first
  }

  /** Returns the entry that started the latest call with an id; null for a call the session never made. */
  find(call: string, { log, session }: SessionJournal): Promise<number | null> {
    return this.#inTurn(async () => {
      for (;;) {
        const page = await log.read(session, this.#next, this.#next + PAGE - 1)
        this.#next += page.length
        for (const { seq, event } of page) {
          if (event.type === 'call.started') this.#starts.set(event.call, seq)
        }
        if (page.length < PAGE) break
      }
      while (this.#first > 0 && !this.#starts.has(call)) {
        const from = Math.max(0, this.#first - PAGE)
        const page = await log.read(session, from, this.#first - 1)
        this.#first = from
        for (const { seq, event } of page.toReversed()) {
          if (event.type === 'call.started' && !this.#starts.has(event.call)) {
            this.#starts.set(event.call, seq)
          }
        }
      }
      return this.#starts.get(call) ?? null
    })
  }
}

/** By the store of the session; absent until a call is looked up. */
const callStarts = new WeakMap<SessionJournal['store'], CallStarts>()

function startOf(call: string, parts: SessionJournal): Promise<number | null> {
  const starts = callStarts.get(parts.store) ?? new CallStarts(parts)
  callStarts.set(parts.store, starts)
  return starts.find(call, parts)
}

/** Reads the report of a call; null for a call the session never made. */
export function readCall(call: string, parts: DeskParts): Promise<CallReport | null> {
  return new CallReportReader(call, parts).read()
}

/** Milliseconds between two reads of the log for the end of a call, when nothing reports it sooner. */
const POLL_MS = 250

/**
 * Waits until a call has ended, in whichever process it runs. A call of this process reports its end
 * itself; the end in another process is read from the log, when its `follow` reports a change or by
 * polling. Null for a call the session never made.
 *
 * Rejects with the reason of the signal, and with `WORKSPACE_CLOSED`.
 */
export async function awaitCall(
  call: string,
  parts: DeskParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<CallReport | null> {
  const { inFlight, dispatcher } = parts
  signal.throwIfAborted()
  const reader = new CallReportReader(call, parts)
  await settledOrAborted(inFlight.ended(call), signal)
  let changed = new AbortController()
  let unfollow: (() => Promise<void>) | undefined
  try {
    for (;;) {
      signal.throwIfAborted()
      changed = new AbortController()
      // Record the ends that the log could not take before, and abandon calls whose process is gone.
      if (!inFlight.isClosed) await dispatcher.catchUp().then(() => endLifetimes(parts))
      const report = await reader.read()
      if (report?.status !== 'running') return report
      if (inFlight.isClosed) throw workspaceClosed()
      if (unfollow === undefined) {
        unfollow = await followOrPoll(parts, () => changed.abort())
        continue
      }
      await pause(POLL_MS, AbortSignal.any([signal, changed.signal]))
    }
  } finally {
    await unfollow?.()
  }
}

/** Waits for a promise that never rejects, or for the abort. Returns at once for null. */
async function settledOrAborted(promise: Promise<void> | null, signal: AbortSignal): Promise<void> {
  if (promise === null) return
  const settled = new AbortController()
  void promise.then(() => settled.abort())
  await pause(LONGEST_TIMER_MS, AbortSignal.any([signal, settled.signal]))
}

/** Follows the session, where its log can; otherwise returns a function that does nothing. */
async function followOrPoll(
  { log, session }: SessionJournal,
  listener: () => void,
): Promise<() => Promise<void>> {
  try {
    return (await log.follow?.(session, listener)) ?? (async () => undefined)
  } catch (error) {
    if (WorkspaceError.is(error) && error.code === 'LOG_NOT_FOLLOWED') return async () => undefined
    throw error
  }
}

/** Reads the history of a tool or a skill from the log of its session, up to the entry that the session is at. */
export async function readNameHistory(
  kind: 'tool' | 'skill',
  names: readonly string[],
  journal: Pick<SessionJournal, 'log' | 'session' | 'store'>,
): Promise<NameHistory> {
  const entries = await entriesSoFar(journal)
  const hashes = new Set(entries.flatMap(({ event }) => storedPart(event) ?? []))
  return nameHistory(kind, new Set(names), entries, await journal.log.definitions.get([...hashes]))
}

/** Entries that were read, by the store of their session: a person looks at one name after another. */
const lastRead = new WeakMap<SessionJournal['store'], WeakRef<readonly Entry[]>>()

/** Reads the entries of a session up to the one that it is at: those that are still in memory are not read again. */
async function entriesSoFar({
  log,
  session,
  store,
}: Pick<SessionJournal, 'log' | 'session' | 'store'>): Promise<readonly Entry[]> {
  const { seq } = store.getState().state
  const known = lastRead.get(store)?.deref() ?? []
  const next = (known.at(-1)?.seq ?? -1) + 1
  const entries = next > seq ? known : [...known, ...(await log.read(session, next, seq))]
  if (entries !== known) lastRead.set(store, new WeakRef(entries))
  return next > seq + 1 ? known.filter((entry) => entry.seq <= seq) : entries
}

/** Returns the hash of what the log of another agent has of a request or a turn. */
function storedPart(event: WorkspaceEvent) {
  if (event.type === 'step.begun') return event.listed
  return event.type === 'turn.begun' ? event.said : undefined
}
