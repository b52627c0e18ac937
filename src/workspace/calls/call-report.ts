import type { BackgroundResult } from '../../engine/model/call-event.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import { endLifetimes } from './end-lifetimes.ts'
import { workspaceClosed } from '../commands/dispatcher.ts'
import { pause } from '../commands/with-time-limit.ts'
import { runAsync } from '../log/maybe-async.ts'

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

/** Reads the report of a call from entries, the latest with that id; null when they have none. */
export function callReport(entries: readonly Entry[], id: string): CallReport | null {
  return entries.reduce<CallReport | null>((report, entry) => {
    const { event } = entry
    if (event.type === 'call.started' && event.call === id) return startedReport(entry.seq, event)
    return report !== null && 'call' in event && event.call === id
      ? updatedReport(report, entry)
      : report
  }, null)
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

/** Milliseconds between two reads of the log for the end of a call, when nothing reports it sooner. */
const POLL_MS = 250

/**
 * Waits until a call has ended, in whichever process it runs: the end in another process is read from the
 * log, or reported by the log's `follow`. Null for a call the session never made.
 *
 * Rejects with the reason of the signal, and with `WORKSPACE_CLOSED`.
 */
export async function awaitCall(
  call: string,
  parts: CallPipelineParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<CallReport | null> {
  const { session, log, inFlight, dispatcher } = parts
  const entries: Entry[] = []
  let changed = new AbortController()
  const wake = (): void => changed.abort()
  const unfollow = await log.follow?.(session, wake)
  void inFlight.ended(call)?.then(wake)
  try {
    for (;;) {
      signal.throwIfAborted()
      changed = new AbortController()
      // Record the ends that the log could not take before, and abandon calls whose process is gone.
      if (!inFlight.isClosed) await dispatcher.catchUp().then(() => runAsync(endLifetimes(parts)))
      entries.push(...(await log.read(session, entries.length)))
      const report = callReport(entries, call)
      if (report?.status !== 'running') return report
      if (inFlight.isClosed) throw workspaceClosed()
      await pause(POLL_MS, AbortSignal.any([signal, changed.signal]))
    }
  } finally {
    await unfollow?.()
  }
}
