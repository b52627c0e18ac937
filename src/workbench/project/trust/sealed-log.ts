import { entryHash } from '../../../entries/log.ts'
import type { Entry, EventLog } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import type { UserSeal } from './user-seal.ts'
import { eventWithoutConsent } from '../../../engine/evolve/evolve-consent.ts'

/** A hash of an entry and of all before it, which a session has in every log that it is copied to. */
interface Link {
  readonly seq: number
  readonly hash: string
}

/**
 * Returns a log in which the entries of this user's processes that allow something are sealed. A seal is for an entry after
 * exactly these others: an approval does not count for a question that somebody changed.
 *
 * @param isJudged false: entries are returned unchanged. True: those that allow something, and that this user did not
 *   seal, are marked, so that what they allow does not count in this process. The log itself does not change. It has no
 *   snapshots then, because a state in one does not say who allowed what.
 */
export function sealedLog(log: EventLog, user: UserSeal, isJudged: boolean): EventLog {
  const latest = new Map<string, Link>()
  const { snapshots, follow } = log

  const judged = async (session: string, entries: readonly Entry[]): Promise<readonly Entry[]> => {
    if (!entries.some(allows)) return entries
    const links = await linkAll(log, session, entries, latest.get(session))
    latest.set(session, links.at(-1) as Link)
    return entries.map((entry, at) =>
      !allows(entry) || user.isOwn(sealText(links[at] as Link), entry.seal)
        ? entry
        : { ...entry, unsealed: true },
    )
  }

  return {
    async append(session, version, entries, after) {
      const isNew = (entry: Entry) => entry.unsealed !== true && allows(entry)
      if (!entries.some(isNew)) return log.append(session, version, entries, after)
      const links = await linkAll(log, session, entries, latest.get(session))
      const sealed = entries.map((entry, at) => {
        const seal = isNew(entry) ? user.seal(sealText(links[at] as Link)) : undefined
        return seal === undefined ? entry : { ...entry, seal }
      })
      await log.append(session, version, sealed, after)
      latest.set(session, links.at(-1) as Link)
    },
    read: async (session, from, last) => {
      const entries = await log.read(session, from, last)
      return isJudged ? judged(session, entries) : entries
    },
    list: (page) => log.list(page),
    async delete(session) {
      latest.delete(session)
      await log.delete(session)
    },
    prune: (request) => log.prune(request),
    definitions: log.definitions,
    ...(snapshots && !isJudged && { snapshots }),
    ...(follow && { follow: (session, listener) => follow.call(log, session, listener) }),
  }
}

/** Returns the links of entries that follow one another, from a known link or the first entry on. */
async function linkAll(
  log: EventLog,
  session: string,
  entries: readonly Entry[],
  known: Link = { seq: -1, hash: '' },
): Promise<readonly Link[]> {
  const from = entries[0]?.seq ?? 0
  const start = known.seq < from ? known : { seq: -1, hash: '' }
  const isNext = start.seq + 1 === from
  const before = isNext ? [] : await log.read(session, start.seq + 1, from - 1)
  let { hash } = start
  return [...before, ...entries]
    .map((entry) => {
      hash = textHash(`${hash} ${entryHash(entry)}`)
      return { seq: entry.seq, hash }
    })
    .slice(before.length)
}

function allows({ event }: Entry): boolean {
  return eventWithoutConsent(event) !== event
}

function sealText({ hash }: Link): string {
  return JSON.stringify(['entry', hash])
}
