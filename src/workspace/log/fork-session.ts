import { foldRecorded } from '../../engine/evolve/evolve.ts'
import { allConfirmations } from '../../engine/model/consent-event.ts'
import { withoutAllowing } from '../../engine/model/policy.ts'
import type { Draft, Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { checkKind, checkRecord, type OptionsOf } from '../../kernel/check-options.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type Clock, systemClock } from './clock.ts'
import type { EventLog } from './event-log.ts'
import { blankSessionId, sessionKnown, unknownEntry, unknownSession } from './session-replaced.ts'
import { referencedDefinitions } from './referenced-definitions.ts'

/** The session to fork, and the id of the fork. */
export interface ForkRequest {
  readonly from: string
  /** The number of the last entry to copy; the last one when absent. */
  readonly at?: number
  /** The id of the new session; a random one when absent. */
  readonly to?: string
  /** The log of the fork; the same one when absent. */
  readonly into?: EventLog
  readonly clock?: Clock
}

const REQUEST: OptionsOf<ForkRequest> = {
  from: 'text',
  at: 'number',
  to: 'text',
  into: 'object',
  clock: 'object',
}

export interface ForkedSession {
  readonly session: string
  readonly from: { readonly session: string; readonly seq: number }
  /** The number of entries of the fork. */
  readonly version: number
}

/**
 * Begins a session with the first entries of another one, which does not change. A log is never cut, so
 * this is also how to return to an earlier moment.
 *
 * After the copied entries, `session.forked` names their origin. Running calls are abandoned, and
 * confirmations expire: a call that was approved in the original session runs there only. Rules that allow
 * stay there, too. The fork is written in one append, so it is never half there.
 *
 * Throws `SESSION_UNKNOWN`, `ENTRY_UNKNOWN`, `SESSION_INVALID` for a blank id, `SESSION_KNOWN`.
 */
export async function forkSession(log: EventLog, request: ForkRequest): Promise<ForkedSession> {
  checkKind(log, 'log', 'object')
  checkRecord(request, REQUEST, 'from')
  const {
    from: origin,
    at,
    to: session = crypto.randomUUID(),
    into = log,
    clock = systemClock,
  } = request
  if (session.trim() === '') throw blankSessionId()
  const all = await log.read(origin)
  const copied = at === undefined ? all : all.slice(0, Math.max(0, at) + 1)
  const last = copied.at(-1)
  if (last === undefined) throw unknownSession(origin, 'List the sessions of the log.')
  if (at !== undefined && last.seq !== at) throw unknownEntry(origin, at, all.length)
  if (into !== log) {
    for await (const [hash, definition] of referencedDefinitions(log, copied, new Set())) {
      await into.definitions.put(hash, definition)
    }
  }
  const from = { session: origin, seq: last.seq }
  const now = clock.now()
  // The fork belongs to every process, so all consent of the original ends, and not only that of this user.
  const forked: Draft = { cause: { by: 'host' }, event: { type: 'session.forked', session, from } }
  const own = [forked, ...closingDrafts(foldRecorded(copied))].map((draft, index): Entry => ({
    seq: last.seq + 1 + index,
    at: now,
    ...draft,
  }))
  try {
    await into.append(session, 0, [...copied, ...own])
  } catch (error) {
    const isKnown = WorkspaceError.is(error) && error.code === 'LOG_CONFLICT'
    throw isKnown ? sessionKnown(session, 'Choose another id for the fork.', error) : error
  }
  return { session, from, version: copied.length + own.length }
}

/**
 * Ends the running calls, the open confirmations and the rules that allow. A denial is copied: it starts
 * nothing.
 */
function closingDrafts(state: WorkspaceState): readonly Draft[] {
  const cause = { by: 'host' } as const
  const { calls, policy } = state
  return [
    ...calls.map(({ call, tool }) => ({
      cause,
      event: { type: 'call.abandoned' as const, call, tool },
    })),
    ...allConfirmations(state)
      .filter(({ consent, child }) => consent !== 'denied' || child !== undefined)
      .map(({ id }) => ({ cause, event: { type: 'confirmation.expired' as const, id } })),
    ...(policy.allow.length === 0 && policy.allowedTools !== 'pre-approve'
      ? []
      : [{ cause, event: { type: 'policy.changed' as const, policy: withoutAllowing(policy) } }]),
  ]
}
