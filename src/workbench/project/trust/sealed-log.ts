import { entryHash } from '../../../entries/adapter.ts'
import type { Entry, EventLog } from '../../../entries/index.ts'
import type { UserSeal } from './user-seal.ts'
import { eventWithoutConsent } from '../../../engine/evolve/evolve-consent.ts'

/**
 * Returns a log in which the entries of this user's processes that allow something are sealed.
 *
 * @param isJudged false: entries are returned unchanged. True: those that allow something, and that this user did not
 *   seal, are marked, so that what they allow does not count in this process. The log itself does not change. It has no
 *   snapshots then, because a state in one does not say who allowed what.
 */
export function sealedLog(log: EventLog, user: UserSeal, isJudged: boolean): EventLog {
  const openings = new Map<string, string>()
  const { snapshots, follow } = log

  /** Returns the id in the opening of a session, which its forks and copies have, too. */
  const openingId = async (session: string, entries: readonly Entry[]): Promise<string> => {
    const first = entries.find(({ seq }) => seq === 0)
    const known = first === undefined ? openings.get(session) : undefined
    const [entry] = known === undefined ? [first ?? (await log.read(session, 0, 0))[0]] : []
    const id = known ?? (entry?.event.type === 'session.opened' ? entry.event.session : session)
    openings.set(session, id)
    return id
  }
  /** Passes on entries, and each that allows something with a text of what it allows and where. */
  const mapAllowing = async (
    session: string,
    entries: readonly Entry[],
    map: (entry: Entry, text: string) => Entry,
  ): Promise<readonly Entry[]> => {
    if (!entries.some(allows)) return entries
    const opening = await openingId(session, entries)
    const questions = new Map<string, Entry>()
    const mapped: Entry[] = []
    for (const entry of entries) {
      const { event, seq } = entry
      if (event.type === 'confirmation.asked') questions.set(event.id, entry)
      if (!allows(entry)) {
        mapped.push(entry)
        continue
      }
      // An approval has only the id of its question, which other writers of the log could replace.
      const isAnswer = event.type === 'confirmation.approved'
      const asked = isAnswer
        ? (questions.get(event.id) ??
          (await questionBefore(event.id, log, session, Math.min(seq, entries[0]?.seq ?? seq))))
        : null
      const parts = [opening, entryHash(entry), ...(isAnswer ? [asked && entryHash(asked)] : [])]
      mapped.push(map(entry, JSON.stringify(['entry', ...parts])))
    }
    return mapped
  }
  const seal = (entry: Entry, text: string): Entry => {
    const own = entry.unsealed === true ? undefined : user.seal(text)
    return own === undefined ? entry : { ...entry, seal: own }
  }
  const judge = (entry: Entry, text: string): Entry =>
    user.isOwn(text, entry.seal) ? entry : { ...entry, unsealed: true }

  return {
    append: async (session, version, entries, after) =>
      log.append(session, version, await mapAllowing(session, entries, seal), after),
    read: async (session, from, last) => {
      const entries = await log.read(session, from, last)
      return isJudged ? mapAllowing(session, entries, judge) : entries
    },
    list: (page) => log.list(page),
    async delete(session) {
      openings.delete(session)
      await log.delete(session)
    },
    prune: (request) => log.prune(request),
    definitions: log.definitions,
    ...(snapshots && !isJudged && { snapshots }),
    ...(follow && { follow: (session, listener) => follow.call(log, session, listener) }),
  }
}

function allows({ event }: Entry): boolean {
  return eventWithoutConsent(event) !== event
}

/** Entries that are read at a time to find a question, from its answer on backwards. */
const PAGE = 100

/** Returns the last question with an id before an entry; null without one. */
async function questionBefore(
  id: string,
  log: EventLog,
  session: string,
  before: number,
): Promise<Entry | null> {
  for (let end = before; end > 0; end -= PAGE) {
    const entries = await log.read(session, Math.max(0, end - PAGE), end - 1)
    const asked = entries.findLast(
      ({ event }) => event.type === 'confirmation.asked' && event.id === id,
    )
    if (asked !== undefined) return asked
  }
  return null
}
