import { inheritedDrafts, type Inheritance } from '../../engine/decide/inherited-drafts.ts'
import { foldDrafts } from '../../engine/decide/decision.ts'
import { fold } from '../../engine/evolve/evolve.ts'
import { givenAnswer, isAskedBy } from '../../engine/model/consent-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { CATEGORIES, exhaustedBudget } from '../../engine/standing/tool-status.ts'
import type { EventLog } from '../log/event-log.ts'
import { readFromSnapshot } from '../log/read-from-snapshot.ts'
import type { SessionSnapshot, SessionStore } from './session-store.ts'

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
  readonly #open: SessionStore | undefined
  /** The state of the open parent that `#latest` is at least as new as. */
  #seen: WorkspaceState | undefined
  #latest: Inheritance | null = null

  /** @param open the store of the parent, when it is open in this process */
  constructor(log: EventLog, session: string, child: string, open?: SessionStore) {
    this.#log = log
    this.#session = session
    this.#child = child
    this.#state = open?.getState().state
    this.#open = open
  }

  /**
   * Returns the store of the child, given the one that its log is folded into. Its state has what the child takes over
   * from a parent that is open in this process from the moment on at which the parent has it, so that what the child
   * lists is what its calls may do, and otherwise what was read of the parent last. The log of the child has it soon
   * after.
   */
  store(own: SessionStore): SessionStore {
    const open = this.#open
    let known: { readonly own: SessionSnapshot; readonly from: Inheritance | null } | undefined
    let merged = own.getState()
    const getState = () => {
      const now = own.getState()
      const from = this.#current()
      if (now !== known?.own || from !== known.from) {
        known = { own: now, from }
        merged = withInherited(now, from)
      }
      return merged
    }
    return {
      setState: own.setState,
      getInitialState: own.getInitialState,
      getState,
      subscribe(listener) {
        let before = getState()
        const check = () => {
          const last = before
          before = getState()
          if (before !== last) listener(before, last)
        }
        const stops = [own, ...(open ? [open] : [])].map((store) => store.subscribe(check))
        return () => stops.forEach((stop) => stop())
      },
    }
  }

  /**
   * Returns what the child takes over; null when the log has no such parent, as in a copy of the child. The child
   * then keeps the policies that it has recorded.
   */
  async read(): Promise<Inheritance | null> {
    this.#current()
    const seen = this.#seen
    const state = await this.#logged()
    const { session: parent } = state.opening?.parent ?? {}
    this.#above ??=
      parent === undefined ? null : new ParentSession(this.#log, parent, this.#session)
    const inherited = this.#inherited(state, await this.#above?.read())
    this.#current()
    if (this.#seen === seen) this.#latest = inherited
    return inherited
  }

  /** Returns the newer of what was read from the log, and what the parent has that is open in this process. */
  #current(): Inheritance | null {
    const state = this.#open?.getState().state
    const seen = this.#seen
    const calls = ['callsThisTurn', 'callsInSession', 'spentAbove'] as const
    const members = ['policy', 'confirmations', 'answers', ...calls] as const
    if (members.some((one) => state?.[one] !== seen?.[one])) {
      this.#seen = state
      this.#latest = state === undefined ? null : this.#inherited(state)
    }
    return this.#latest
  }

  /** Returns what the child takes over from a state of its parent; null when it is no child of it. */
  #inherited(
    { seq, children, policy, policyAsOf = [], answers: given }: WorkspaceState,
    read?: Inheritance | null,
  ): Inheritance | null {
    if (!children.some(({ session, isOpen }) => session === this.#child && isOpen)) return null
    const { above = [], ...own } = policy
    const answers = given
      .filter((one) => isAskedBy(one, this.#child))
      .flatMap(({ id, consent, ...one }) =>
        consent === 'pending' ? [] : { id, consent, ...givenAnswer(one) },
      )
    const spent = this.#open ? spentBudgets(this.#open.getState().state) : []
    return {
      ...(spent.length > 0 && { spent }),
      above: [own, ...(read?.above ?? above)],
      asOf: [{ session: this.#session, seq }, ...(read?.asOf ?? policyAsOf)],
      answers,
    }
  }

  async #logged(): Promise<WorkspaceState> {
    const known = this.#state
    if (known === undefined || known.seq < 0) {
      const { state } = await readFromSnapshot(this.#log, this.#session)
      return (this.#state = state)
    }
    const entries = await this.#log.read(this.#session, known.seq + 1)
    // Reads of commands that go on at the same time may end in any order.
    const next = entries.length === 0 ? known : fold(entries, known)
    if (next.seq > (this.#state?.seq ?? -1)) this.#state = next
    return this.#state ?? next
  }
}

/** Returns the budgets of a session without a call left, for the calls of its children. */
function spentBudgets(state: WorkspaceState): NonNullable<WorkspaceState['spentAbove']> {
  return CATEGORIES.flatMap((category) => {
    const budget = exhaustedBudget(category, state)
    return budget === null ? [] : [{ category, budget: { ...budget, above: true as const } }]
  })
}

/** Returns a snapshot of a child as it will be once its log has what it takes over. */
function withInherited(own: SessionSnapshot, from: Inheritance | null): SessionSnapshot {
  const { state, pending } = own
  if (from === null || state.opening === null) return own
  const { spent } = from
  const budgets = spent ? { spentAbove: spent } : {}
  const kept = spent ? { state: { ...state, ...budgets }, pending } : own
  const later = from.asOf.map(({ seq }, at) => seq - (state.policyAsOf?.[at]?.seq ?? -1))
  // Another process recorded what it read after this one.
  if (later.some((entries) => entries < 0)) return kept
  const drafts = inheritedDrafts(state, from)
  if (drafts.length === 0 && later.every((entries) => entries === 0)) return kept
  const { policy, policySince, confirmations, answers } = foldDrafts(drafts, state)
  const above = { policy, policySince, policyAsOf: from.asOf }
  return { state: { ...state, ...above, confirmations, answers, ...budgets }, pending }
}
