import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { ContentHash } from '../kernel/content-hash.ts'
import type { Entry } from '../engine/event.ts'
import type { EventLog } from './ports.ts'

/** A log that lasts as long as the process. What goes in and comes out is copied as JSON. */
export function createMemoryLog(): EventLog {
  const sessions = new Map<string, string[]>()
  const definitions = new Map<ContentHash, string>()
  return {
    async append(session, expectedVersion, entries) {
      const held = sessions.get(session) ?? []
      if (held.length !== expectedVersion) throw conflict(session, expectedVersion, held.length)
      for (const entry of entries) held.push(JSON.stringify(entry))
      sessions.set(session, held)
    },
    async read(session, from = 0) {
      return (sessions.get(session) ?? []).slice(from).map((text) => JSON.parse(text) as Entry)
    },
    async list() {
      return [...sessions].map(([session, texts]) => {
        const entries = texts.map((text) => JSON.parse(text) as Entry)
        const [openedAt, changedAt] = [entries[0]?.at ?? 0, entries.at(-1)?.at ?? 0]
        return { session, version: texts.length, openedAt, changedAt }
      })
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
        return text === undefined ? undefined : JSON.parse(text)
      },
    },
  }
}

function conflict(session: string, expected: number, found: number): WorkspaceError {
  return new WorkspaceError('LOG_CONFLICT', `Session "${session}" has moved on.`, {
    facts: { session, expected, found },
    hint: 'Read what was appended, and decide again.',
  })
}
