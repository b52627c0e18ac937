import type { ContentHash } from '../kernel/content-hash.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Entry } from '../engine/event.ts'
import { checkAppend } from './check-append.ts'
import type { EventLog } from './ports.ts'

interface HeldSession {
  readonly texts: string[]
  readonly openedAt: number
  changedAt: number
}

/**
 * A log that lasts as long as the process.
 *
 * It keeps JSON text, so nothing is shared with those who write or read, and what comes out
 * is what a log on disk would give. Definitions outlive the sessions that used them.
 */
export function createMemoryLog(): EventLog {
  const sessions = new Map<string, HeldSession>()
  const definitions = new Map<ContentHash, string>()
  return {
    async append(session, expectedVersion, entries) {
      const held = sessions.get(session)
      const found = held?.texts.length ?? 0
      checkAppend({ session, expected: expectedVersion, found, entries })
      const texts = entries.map((entry) => JSON.stringify(entry))
      const [first] = entries
      const last = entries.at(-1)
      if (first === undefined || last === undefined) return
      if (held === undefined) {
        sessions.set(session, { texts, openedAt: first.at, changedAt: last.at })
      } else {
        held.texts.push(...texts)
        held.changedAt = last.at
      }
    },
    async read(session, from = 0) {
      const texts = sessions.get(session)?.texts ?? []
      return texts.slice(from).map((text) => JSON.parse(text) as Entry)
    },
    async list() {
      return [...sessions]
        .map(([session, { texts, openedAt, changedAt }]) => ({
          session,
          version: texts.length,
          openedAt,
          changedAt,
        }))
        .sort((a, b) => (a.session < b.session ? -1 : 1))
    },
    async delete(session) {
      sessions.delete(session)
    },
    definitions: {
      async put(hash, definition) {
        definitions.set(hash, JSON.stringify(definition))
      },
      async get(hash) {
        const text = definitions.get(hash)
        return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
      },
    },
  }
}
