import { didYouMean } from '../../kernel/did-you-mean.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { SessionSummary } from '../../workspace/log/ports.ts'
import type { OpenLog } from './open-log.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** Ids that nobody chose: the first characters of one are enough. */
const RANDOM_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHORTEST_START = 4
/** Sessions named in a hint. */
const MOST_NAMED = 3

/** A word for the session that changed last, where none has this name. */
const LATEST = 'latest'

/**
 * The session of a log that is meant: by its id, by the beginning of a random one, as `latest`, or
 * without a word as the only one. Null when the log does not have it, or has none.
 */
export async function chosenSession(
  { log, name }: OpenLog,
  wanted: string | undefined,
): Promise<string | null> {
  const sessions = (await log.list()).toSorted((a, b) => b.changedAt - a.changedAt)
  const ids = sessions.map(({ session }) => session)
  if (wanted === undefined) {
    if (ids.length > 1) throw notOne(`"${name}" holds ${ids.length} sessions.`, ids)
    return ids[0] ?? null
  }
  if (ids.includes(wanted)) return wanted
  if (wanted === LATEST) return ids[0] ?? null
  if (wanted.length < SHORTEST_START) return null
  const begun = ids.filter((id) => RANDOM_ID.test(id) && id.startsWith(wanted))
  if (begun.length > 1) throw notOne(`${begun.length} sessions begin with "${wanted}".`, begun)
  return begun[0] ?? null
}

/** The error for a session that a log does not have. */
export async function sessionUnknown(
  { log, name }: OpenLog,
  wanted: string | undefined,
): Promise<WorkspaceError> {
  const known = (await log.list()).map(({ session }: SessionSummary) => session)
  if (wanted === undefined || known.length === 0) {
    return new WorkspaceError('LOG_EMPTY', `The log "${name}" holds no session.`, {
      facts: { log: name },
      hint: 'Begin one: loadout activate <skill> --log <file>.',
    })
  }
  return new WorkspaceError('SESSION_UNKNOWN', `The log "${name}" has no session "${wanted}".`, {
    facts: { log: name, session: wanted },
    hint: didYouMean(nearestNames(wanted, known), 'See loadout sessions list.'),
  })
}

function notOne(message: string, ids: readonly string[]): WorkspaceError {
  const some = ids.slice(0, MOST_NAMED).join(', ')
  const more = ids.length > MOST_NAMED ? ' or another' : ''
  return wrongUsage(message, `Say which: --session ${some}${more}. See loadout sessions list.`)
}
