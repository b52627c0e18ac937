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
  const sealed = async (session: string, entries: readonly Entry[]): Promise<readonly Entry[]> => {
    const isNew = (entry: Entry) => entry.unsealed !== true && allows(entry)
    if (!entries.some(isNew)) return entries
    const id = await openingId(session, entries)
    return entries.map((entry) => {
      const seal = isNew(entry) ? user.seal(sealText(id, entry)) : undefined
      return seal === undefined ? entry : { ...entry, seal }
    })
  }
  const judged = async (session: string, entries: readonly Entry[]): Promise<readonly Entry[]> => {
    if (!entries.some(allows)) return entries
    const id = await openingId(session, entries)
    return entries.map((entry) =>
      !allows(entry) || user.isOwn(sealText(id, entry), entry.seal)
        ? entry
        : { ...entry, unsealed: true },
    )
  }

  return {
    append: async (session, version, entries, after) =>
      log.append(session, version, await sealed(session, entries), after),
    read: async (session, from, last) => {
      const entries = await log.read(session, from, last)
      return isJudged ? judged(session, entries) : entries
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

/** The seal of an entry is for its place in one session. */
function sealText(opening: string, entry: Entry): string {
  return JSON.stringify(['entry', opening, entryHash(entry)])
}
