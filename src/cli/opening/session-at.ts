import { sessionUnknown } from './chosen-session.ts'
import { refuseMissingEntry } from './choose-log.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { logName, openLog, type LogAccess, type OpenLog } from './open-log.ts'
import { referredTo, sessionReference } from './session-reference.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import type { SessionsOptions } from '../shell/sessions-options.ts'

/** A session that a word named, in its log. */
export interface SessionAt {
  readonly open: OpenLog
  readonly session: string
  /** The entry that was named with it; null for now. */
  readonly at: number | null
}

/** Find the session that a word names. Throws for a log that is not there, or does not have it. */
export async function sessionAt(
  word: string,
  { log, at }: SessionsOptions & { readonly at?: number },
  purpose: LogAccess['purpose'],
  context: CliContext,
): Promise<SessionAt> {
  const reference = await sessionReference(word, context.cwd)
  if (log !== undefined && reference.log !== undefined) {
    // A file here may have the name of a session there.
    const open = await openNamed(log, purpose, context)
    const sessions = await open.log.list()
    if (sessions.some(({ session }) => session === word)) {
      return { open, session: word, at: at ?? null }
    }
    throw wrongUsage(
      `"${word}" is a log of its own.`,
      'With --log give the id of a session: see loadout sessions list.',
    )
  }
  const open = await openNamed(reference.log ?? log, purpose, context)
  const found = await referredTo(open, reference)
  if (found === null) throw await sessionUnknown(open, reference.session)
  return { open, session: found.session, at: at ?? found.at }
}

/** Open a log that has to be there. */
async function openNamed(
  named: string | undefined,
  purpose: LogAccess['purpose'],
  context: CliContext,
): Promise<OpenLog> {
  // To write is no reason to make one here: what is to be changed has to be there.
  const isThere = await openLog(named, { purpose: 'look' }, context)
  if (isThere === null) {
    const name = named ?? (await logName(undefined, context))
    throw wrongUsage(`There is no log at "${name}".`, 'Name the one that is meant: --log <file>.')
  }
  return (purpose === 'look' ? isThere : await openLog(named, { purpose }, context)) ?? isThere
}

/** The last entry that is meant of so many. */
export function lastMeant({ session, at }: SessionAt, entries: number): number {
  if (at !== null) refuseMissingEntry(at, entries - 1, session)
  return at ?? entries - 1
}
