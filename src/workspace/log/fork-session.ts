import { randomUUID } from 'node:crypto'
import { fold } from '../../engine/evolve/evolve.ts'
import type { Draft, Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type Clock, systemClock } from './clock.ts'
import type { EventLog } from './event-log.ts'
import { blankSessionId, unknownEntry } from './session-replaced.ts'
import { referencedDefinitions } from './unwritten-definitions.ts'

/** Which session is forked, and what the fork is called. */
export interface ForkRequest {
  readonly from: string
  /** The last entry that is taken; all of them when absent. */
  readonly at?: number
  /** The id of the new session; a random one when absent. */
  readonly to?: string
  /** Where the fork is kept; the same log when absent. */
  readonly into?: EventLog
  readonly clock?: Clock
}

export interface ForkedSession {
  readonly session: string
  readonly from: { readonly session: string; readonly seq: number }
  /** Entries of the fork. */
  readonly version: number
}

/**
 * Begin a session with the first entries of another, which stays as it is; that is also how one goes
 * back to an earlier moment, since a log is never cut.
 *
 * The copied entries are as they were; then `session.forked` says where they came from. Calls that
 * were running are abandoned, and confirmations expire: what was asked for and agreed to in the origin
 * runs there, and nowhere twice. One append, so the fork is there or it is not.
 *
 * Throws `SESSION_UNKNOWN`, `ENTRY_UNKNOWN`, `SESSION_INVALID` for a blank id, `SESSION_KNOWN`.
 */
export async function forkSession(log: EventLog, request: ForkRequest): Promise<ForkedSession> {
  const { from: origin, at, to: session = randomUUID(), into = log, clock = systemClock } = request
  if (session.trim() === '') throw blankSessionId()
  const all = await log.read(origin)
  const copied = at === undefined ? all : all.slice(0, Math.max(0, at) + 1)
  const last = copied.at(-1)
  if (last === undefined) throw unknownSession(origin)
  if (at !== undefined && last.seq !== at) throw unknownEntry(origin, at, all.length)
  if (into !== log) {
    for await (const [hash, definition] of referencedDefinitions(log, copied, new Set())) {
      await into.definitions.put(hash, definition)
    }
  }
  const from = { session: origin, seq: last.seq }
  const now = clock.now()
  const own = [forkDraft(session, from), ...closingDrafts(fold(copied))].map(
    (draft, index): Entry => ({
      seq: last.seq + 1 + index,
      at: now,
      ...draft,
    }),
  )
  try {
    await into.append(session, 0, [...copied, ...own])
  } catch (error) {
    if (WorkspaceError.is(error) && error.code === 'LOG_CONFLICT')
      throw sessionKnown(session, error)
    throw error
  }
  return { session, from, version: copied.length + own.length }
}

function forkDraft(session: string, from: ForkedSession['from']): Draft {
  return { cause: { by: 'host' }, event: { type: 'session.forked', session, from } }
}

/** A denial holds for the fork, too: nothing comes about by it. */
function closingDrafts({ calls, confirmations }: WorkspaceState): readonly Draft[] {
  const cause = { by: 'host' } as const
  return [
    ...calls.map(({ call, tool }) => ({
      cause,
      event: { type: 'call.abandoned' as const, call, tool },
    })),
    ...confirmations
      .filter(({ consent }) => consent !== 'denied')
      .map(({ id }) => ({ cause, event: { type: 'confirmation.expired' as const, id } })),
  ]
}

function unknownSession(session: string): WorkspaceError {
  return new WorkspaceError('SESSION_UNKNOWN', `The log has no session "${session}".`, {
    hint: 'List the sessions of the log.',
    facts: { session },
  })
}

function sessionKnown(session: string, cause: unknown): WorkspaceError {
  return new WorkspaceError('SESSION_KNOWN', `The log has a session "${session}" already.`, {
    hint: 'Choose another id for the fork.',
    facts: { session },
    cause,
  })
}
