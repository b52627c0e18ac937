import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { SessionRow } from '../../../workspace/log/session-row.ts'

/** Where a session ends, as the database was last seen to have it. */
export interface Head extends SessionRow {
  readonly id: string
  /** Hash of its last entry, where that is known. */
  readonly lastHash?: ContentHash | undefined
}

/** Sessions whose end is remembered, so that an append to them is one round trip. */
const REMEMBERED = 10_000

/** The ends of the sessions that were seen last; any of them may have moved on since. */
export class SessionHeads {
  readonly #heads = new Map<string, Head>()

  get(session: string): Head | undefined {
    return this.#heads.get(session)
  }

  set(session: string, head: Head): void {
    this.#heads.delete(session)
    this.#heads.set(session, head)
    const [oldest] = this.#heads.keys()
    if (this.#heads.size > REMEMBERED && oldest !== undefined) this.#heads.delete(oldest)
  }

  forget(session: string): void {
    this.#heads.delete(session)
  }
}
