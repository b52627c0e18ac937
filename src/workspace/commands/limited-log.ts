import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { EventLog } from '../log/event-log.ts'
import { untilLimit } from './with-time-limit.ts'

/**
 * The limited form of each log, by the log and by itself. Sessions of a log share it, and with it what this process knows
 * of the definitions there.
 */
const limited = new WeakMap<EventLog, EventLog>()

/**
 * Returns a log whose answers have a time limit: what it does not answer rejects with `TIME_LIMIT`. A log that commits at
 * once is returned unchanged.
 */
export function limitedLog(log: EventLog): EventLog {
  if (log.immediate !== undefined) return log
  const known = limited.get(log)
  if (known !== undefined) return known
  const made = limit(log)
  limited.set(log, made).set(made, made)
  return made
}

function limit(log: EventLog): EventLog {
  const { snapshots, load } = log
  return {
    append: async (session, ...given) =>
      answer(log.append(session, ...given), session, LATE_APPEND),
    read: async (session, ...given) => answer(log.read(session, ...given), session),
    ...(load && {
      load: async (session, format) => answer(load.call(log, session, format), session),
    }),
    delete: async (session) => answer(log.delete(session), session),
    list: async (page) => answer(log.list(page)),
    prune: async (request) => answer(log.prune(request)),
    definitions: limitDefinitions(log),
    ...(snapshots && {
      snapshots: {
        // Only `close` waits for it, and has a limit of its own.
        put: (session, snapshot) => snapshots.put(session, snapshot),
        latest: async (session, ...given) => answer(snapshots.latest(session, ...given), session),
      },
    }),
    ...(log.follow && { follow: (session, listener) => follow(log, session, listener) }),
  }
}

function limitDefinitions(log: EventLog): EventLog['definitions'] {
  const { definitions } = log
  const made: EventLog['definitions'] = {
    has: async (hash) => answer(definitions.has(hash)),
    put: async (hash, definition) => answer(definitions.put(hash, definition)),
    get: async (hashes) => answer(definitions.get(hashes)),
    ...(definitions.flush && { flush: async () => answer(definitions.flush?.()) }),
  }
  return 'epoch' in definitions
    ? Object.defineProperty(made, 'epoch', { get: () => definitions.epoch })
    : made
}

/** A follower that begins after the limit is stopped at once: nobody else could stop it. */
async function follow(
  log: EventLog,
  session: string,
  listener: () => void,
): Promise<() => Promise<void>> {
  const following = log.follow?.(session, listener)
  try {
    const stop = await answer(following, session)
    return async () => answer(stop?.(), session)
  } catch (error) {
    following?.then((stop) => stop()).catch(() => undefined)
    throw error
  }
}

/** Milliseconds to wait for one answer of the log. Logs that retry give up earlier, by their default options. */
const LOG_LIMIT_MS = 60_000

const LATE_APPEND =
  'The entries may still reach the log; the next command reads it. Find out why the log hangs.'

async function answer<T>(
  work: T | PromiseLike<T>,
  session?: string,
  hint = 'Find out why the log hangs, then try again.',
): Promise<T> {
  return untilLimit(work, LOG_LIMIT_MS, () => logSilent(session, hint))
}

function logSilent(session: string | undefined, hint: string): WorkspaceError {
  const log = session === undefined ? 'The log' : `The log of session "${session}"`
  return new WorkspaceError(
    'TIME_LIMIT',
    `${log} did not answer within ${LOG_LIMIT_MS / 1_000} seconds.`,
    { facts: { ...(session !== undefined && { session }), timeoutMs: LOG_LIMIT_MS }, hint },
  )
}
