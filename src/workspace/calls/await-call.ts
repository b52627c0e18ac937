import type { Entry } from '../../engine/model/event.ts'
import { callReport, type CallReport } from './call-report.ts'
import type { CallLimits } from './call-request.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import { endLifetimes } from './end-lifetimes.ts'
import { pause } from '../commands/pause.ts'
import type { Clock, EventLog } from '../log/ports.ts'
import type { SessionStore } from '../commands/session-store.ts'
import { workspaceClosed } from '../commands/workspace-closed.ts'

interface AwaitParts {
  readonly session: string
  readonly log: EventLog
  readonly store: SessionStore
  readonly dispatcher: Dispatcher
  readonly inFlight: CallsInFlight
  readonly limits: CallLimits
  readonly clock: Clock
}

/** How often the log is asked whether a call has ended, where nothing says so sooner. Milliseconds. */
const POLL_MS = 250

/**
 * Wait until a call has ended, whichever process runs it: this one tells by itself, of others the log
 * is asked (or tells, by `follow`). Null for a call that the session never made.
 *
 * Rejects with the reason of the signal, and with `WORKSPACE_CLOSED`.
 */
export async function awaitCall(
  call: string,
  parts: AwaitParts,
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
      // An end that the log could not take is told once it can; one that cannot come is given up.
      if (!inFlight.isClosed) await dispatcher.catchUp().then(() => endLifetimes(parts))
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
