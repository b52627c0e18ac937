import type { Inheritance } from '../../engine/decide/inherited-drafts.ts'
import { fold } from '../../engine/evolve/evolve.ts'
import { isAskedBy } from '../../engine/model/consent-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { EventLog } from '../log/event-log.ts'
import { runAsync } from '../log/maybe-async.ts'
import { readFromSnapshot } from '../log/read-from-snapshot.ts'

/**
 * The parent of a child session, as the log has it now. It is read before each command of the child, so that a
 * rule of the parent holds in every process from the next call of the child on, also where the parent is not open.
 */
export class ParentSession {
  readonly #log: EventLog
  readonly #session: string
  readonly #child: string
  #state: WorkspaceState | undefined
  #above: ParentSession | null | undefined

  /** @param known a state of the parent, so that its log is not read from its beginning */
  constructor(log: EventLog, session: string, child: string, known?: WorkspaceState) {
    this.#log = log
    this.#session = session
    this.#child = child
    this.#state = known
  }

  /**
   * Returns what the child takes over; null when the log has no such parent, as in a copy of the child. The child
   * then keeps the policies that it has recorded.
   */
  async read(): Promise<Inheritance | null> {
    const state = await this.#current()
    if (!state.children.some(({ session, isOpen }) => session === this.#child && isOpen)) {
      return null
    }
    const { session: parent } = state.opening?.parent ?? {}
    this.#above ??=
      parent === undefined ? null : new ParentSession(this.#log, parent, this.#session)
    const { above: recorded = [], ...own } = state.policy
    const above = (await this.#above?.read())?.above ?? recorded
    const answers = state.confirmations
      .filter((one) => isAskedBy(one, this.#child))
      .flatMap(({ id, consent, content }) =>
        consent === 'pending' ? [] : { id, consent, ...(content && { content }) },
      )
    return { session: this.#session, seq: state.seq, above: [own, ...above], answers }
  }

  async #current(): Promise<WorkspaceState> {
    const known = this.#state
    if (known === undefined || known.seq < 0) {
      const { state } = await runAsync(readFromSnapshot(this.#log, this.#session))
      return (this.#state = state)
    }
    const entries = await this.#log.read(this.#session, known.seq + 1)
    // Reads of commands that go on at the same time may end in any order.
    const next = entries.length === 0 ? known : fold(entries, known)
    if (next.seq > (this.#state?.seq ?? -1)) this.#state = next
    return next
  }
}
