import type { BackgroundResult } from '../../engine/model/background-event.ts'
import type { Entry } from '../../engine/model/event.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'

/** A call as the log tells of it, whichever process made it. */
export interface CallReport {
  readonly call: string
  readonly tool: string
  readonly owner: string
  readonly caller: Caller
  /** The call whose handler made it; null for the others. */
  readonly within: string | null
  /** `abandoned`: the process that ran it is gone, and nobody knows what it did. */
  readonly status: 'running' | 'done' | 'failed' | 'abandoned'
  readonly background: boolean
  /** The entries that began and ended it; null for a call that runs. */
  readonly since: number
  readonly seq: number | null
  readonly error: ErrorType | null
  readonly durationMs: number | null
  /** Of a background call that ended; what any other came to went to its caller alone. */
  readonly result: BackgroundResult | null
}

/** What entries tell of a call, the latest of that id; null when they do not. */
export function callReport(entries: readonly Entry[], id: string): CallReport | null {
  return entries.reduce<CallReport | null>((report, entry) => {
    const { event } = entry
    if (event.type === 'call.started' && event.call === id) return begun(entry.seq, event)
    return report !== null && 'call' in event && event.call === id ? after(report, entry) : report
  }, null)
}

function begun(
  since: number,
  event: Extract<Entry['event'], { type: 'call.started' }>,
): CallReport {
  const { call, tool, owner, caller, within = null } = event
  const running = { status: 'running', background: false } as const
  const open = { seq: null, error: null, durationMs: null, result: null }
  return { call, tool, owner, caller, within, ...running, since, ...open }
}

function after(report: CallReport, { seq, event }: Entry): CallReport {
  if (event.type === 'call.detached') return { ...report, background: true }
  if (event.type === 'call.abandoned') return { ...report, status: 'abandoned', seq }
  if (event.type !== 'call.ended') return report
  const { ok, error, durationMs, result = null } = event
  return { ...report, status: ok ? 'done' : 'failed', seq, error, durationMs, result }
}
