import { randomBytes } from 'node:crypto'
import type { EventLog, Principal } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import type { McpSession } from './mcp-session.ts'

/** Connections, and sessions with a handle, that are open at the same time. */
export const MAX_OPEN = 256

/** Returns a handle that nobody guesses. */
export function newHandle(): string {
  return randomBytes(16).toString('hex')
}

/** Returns the id of a session in the log. The log does not have the handle, and another principal has no use of it. */
export function sessionId(handle: string, principal: Principal | null): string {
  const who = principal?.id ?? ''
  // UTF-8 has one text for all lone surrogates.
  const isPlain = !who.includes('\0') && `${who}${handle}`.isWellFormed()
  const key = isPlain ? `${who}\0${handle}` : JSON.stringify([who, handle])
  return `mcp-${textHash(key).slice(7, 39)}`
}

/** The parts of an endpoint that sessions with a handle need. */
interface NamedSessionsParts {
  open(id: string, principal: Principal | null): Promise<McpSession>
  close(session: McpSession): Promise<void>
  log(): EventLog | undefined
  /** Returns the error for a handle without a session. */
  unknown(): Error
}

/** Sessions that clients name by a handle in each request. Those that are not used are closed, and opened again. */
export class NamedSessions {
  readonly #parts: NamedSessionsParts
  /** By their id in the log. The first was used least recently. */
  readonly #sessions = new Map<string, Promise<McpSession>>()

  constructor(parts: NamedSessionsParts) {
    this.#parts = parts
  }

  /** Runs work with the session of a handle, or with a new session and its handle. */
  async use<Result>(
    given: string | undefined,
    principal: Principal | null,
    work: (session: McpSession, handle: string, isNew: boolean) => Promise<Result>,
  ): Promise<Result> {
    const handle = given ?? newHandle()
    const id = sessionId(handle, principal)
    if (given !== undefined && !(await this.#isKnown(id))) throw this.#parts.unknown()
    const session = await this.#opened(id, principal)
    session.busy += 1
    try {
      return await work(session, handle, given === undefined)
    } finally {
      session.busy -= 1
      await this.#closeUnused()
    }
  }

  async #opened(id: string, principal: Principal | null): Promise<McpSession> {
    const opening = this.#sessions.get(id) ?? this.#parts.open(id, principal)
    this.#sessions.delete(id)
    this.#sessions.set(id, opening)
    try {
      return await opening
    } catch (error) {
      this.#sessions.delete(id)
      throw error
    }
  }

  async #isKnown(id: string): Promise<boolean> {
    if (this.#sessions.has(id)) return true
    const entries = await this.#parts.log()?.read(id, 0, 0)
    return entries !== undefined && entries.length > 0
  }

  async #closeUnused(): Promise<void> {
    for (const [id, opening] of this.#sessions) {
      if (this.#sessions.size <= MAX_OPEN) return
      const session = await opening
      if (session.busy > 0) continue
      this.#sessions.delete(id)
      await this.#parts.close(session)
    }
  }
}
