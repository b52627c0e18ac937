import { limitsCalls } from '../../engine/decide/decide-child.ts'
import type { Cause } from '../../engine/model/cause.ts'
import type { ChildSession, EndedChild, ParentLink } from '../../engine/model/child-event.ts'
import type { CommandOf } from '../../engine/model/command.ts'
import {
  allConfirmations,
  givenAnswer,
  isAskedBy,
  type PendingConfirmation,
} from '../../engine/model/consent-event.ts'
import {
  addSpending,
  NO_SPENDING,
  type Spending,
  spendingSince,
} from '../../engine/model/step-cost.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { Policy } from '../../engine/model/policy.ts'
import { isMeta } from '../../engine/model/source-event.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { SessionSkills } from './current-catalog.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { ParentSession } from './parent-session.ts'
import type { SessionStore } from './session-store.ts'
import { emitWarning } from './outcome.ts'
import { contentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** A child session that is open in this process. */
interface OpenChild {
  readonly parts: TreeParts & { readonly children: ChildSessions }
  /** The call of the parent whose handler opened it; null when the host did. */
  readonly call: string | null
  /**
   * Closes it.
   *
   * @param ends true to record its end in the parent; otherwise it stays open there, and is opened again later
   */
  close(ends: boolean): Promise<void>
}

interface AddedChild extends OpenChild {
  stop(): void
  /** Records its end in the parent. */
  record: (end: EndedChild) => Promise<void>
}

/** The parent of a child session. */
export interface OpenParent {
  readonly link: ParentLink
  readonly known: ParentSession
  /** The children of the parent, when it is open in this process. */
  readonly children?: ChildSessions
  /** The functions of its rules then, and of those above it. */
  readonly context?: Pick<EngineContext, 'functions' | 'functionsAbove'>
  /** The skills that were registered in the parent: a new child has them, too. */
  readonly registered?: WorkspaceState['registered']
  readonly skills?: SessionSkills
}

/** The parts of a session in a tree of sessions. */
interface TreeParts {
  readonly session: string
  readonly store: SessionStore
  readonly dispatcher: Dispatcher
  /** Null for a session that is no child. */
  readonly parent: OpenParent | null
}

/** The budget of a session above that has no call left. */
type SpentAbove = NonNullable<CommandOf<'call.start'>['above']>

/**
 * The child sessions that are open in this process. Passes rules and answers of the parent on to them at once, and
 * their questions to the parent.
 */
export class ChildSessions {
  readonly #parent: TreeParts
  /** Created with the first child, so that an idle session has none; the same for reserved sessions. */
  #open: Map<string, AddedChild> | undefined
  #reserved: Set<string> | undefined
  #ends = true

  constructor(parent: TreeParts) {
    this.#parent = parent
  }

  /** Reserves a session that is going to be opened; returns false when it is open here, or being opened. */
  reserve(session: string): boolean {
    const reserved = (this.#reserved ??= new Set())
    if (this.#open?.has(session) === true || reserved.has(session)) return false
    reserved.add(session)
    return true
  }

  /** Ends the reservation of a session that was opened, or could not be. */
  release(session: string): void {
    this.#reserved?.delete(session)
  }

  /** Adds a child that was opened. */
  add(child: OpenChild): void {
    const { store, dispatcher, session } = child.parts
    const asked = new Set<string>()
    const relay = () => {
      for (const command of questionCommands(child.parts, this.#parent.store.getState().state)) {
        if (command.type === 'child.ask') {
          if (asked.has(command.question.id)) continue
          asked.add(command.question.id)
        }
        unlessClosed(this.#parent.dispatcher.dispatch(command, causeOf(child)))
      }
    }
    const stops = [
      store.subscribe(({ state: after }, { state: before }) => {
        if (!hasSameAnswers(after, before)) relay()
      }),
      this.#parent.store.subscribe(({ state: after }, { state: before }) => {
        const isSame = after.policy === before.policy && hasSameAnswers(after, before)
        if (!isSame) unlessClosed(dispatcher.inherit())
      }),
    ]
    const record = (end: EndedChild) =>
      unlessClosed(this.#parent.dispatcher.dispatch({ type: 'child.end', ...end }, causeOf(child)))
    this.#open ??= new Map()
    this.#open.set(session, { ...child, stop: () => stops.forEach((stop) => stop()), record })
    relay()
  }

  /**
   * Counts a call of a child in the budgets of this session, and of those above it. Returns one that is spent.
   *
   * @param policies those of this session and of the ones above, as the child knows them
   */
  async count(
    called: Omit<CommandOf<'child.call'>, 'type'>,
    [policy, ...above]: readonly Policy[],
  ): Promise<SpentAbove | undefined> {
    const { session, dispatcher, parent } = this.#parent
    if (policy !== undefined && limitsCalls(policy, called.category)) {
      const command = { type: 'child.call', ...called } as const
      const { tool } = called
      const counted = await dispatcher.dispatch(command, { by: 'host' }, { callOf: tool })
      if (!counted.ok && counted.code !== 'budget-spent') counted.orThrow()
      if (!counted.ok) return counted.facts as unknown as SpentAbove
    }
    return parent?.children?.count({ ...called, child: session }, above)
  }

  /** Forgets a child that is closed, and records its end with what it spent. */
  async remove(session: string, total: Spending | null): Promise<void> {
    const child = this.#open?.get(session)
    if (child === undefined) return
    child.stop()
    this.#open?.delete(session)
    if (total !== null) await child.record({ child: session, total })
  }

  /**
   * Closes the children that the handler of a call opened, and returns those that end. Their ends belong in one append
   * with that of the call: a call that is made again finds its children open, or its recorded result. Never rejects.
   */
  async endThoseOf(call: string): Promise<readonly EndedChild[]> {
    const those = [...(this.#open?.values() ?? [])].filter((one) => one.call === call)
    const ended: EndedChild[] = []
    for (const one of those) one.record = (end) => Promise.resolve(void ended.push(end))
    await Promise.all(those.map((one) => one.close(this.#ends).catch(emitWarning)))
    return ended
  }

  /** Calls end when a session is closed. Then their children are left open, unless the session ends for good. */
  leave(ends: boolean): void {
    this.#ends = ends
  }

  async close(ends: boolean): Promise<void> {
    await Promise.all([...(this.#open?.values() ?? [])].map((one) => one.close(ends)))
  }

  /** Returns what a child has spent in this session, up to now when it is open here. */
  spentBy(child: ChildSession): Spending {
    return addSpending(child.spent, this.#spentSince(child))
  }

  /** Returns what the session has spent with its children, up to now for those that are open here. */
  total(): Spending {
    const { state } = this.#parent.store.getState()
    const open = state.children.map((child) => this.#spentSince(child))
    return addSpending(state.spent, state.spentByChildren, ...open)
  }

  /** Returns what a child that is open here has spent and the parent has not recorded. */
  #spentSince({ session, before }: ChildSession): Spending {
    const child = this.#open?.get(session)
    return child === undefined ? NO_SPENDING : spendingSince(before, child.parts.children.total())
  }
}

/**
 * Counts a call of a child session in the budgets of the sessions above, if it would start. It is counted first, so
 * that the budgets hold in every process and after a crash. Returns a budget without a call left.
 */
export async function countAbove(
  source: (state: WorkspaceState) => CommandOf<'call.start'>,
  cause: Cause,
  row: ToolRow | null,
  { parent, store, session, dispatcher }: TreeParts,
): Promise<SpentAbove | undefined> {
  if (parent?.children === undefined || row?.tool === undefined || isMeta(row.owner))
    return undefined
  // The budgets above are those that are counted here.
  const { spentAbove: _, ...state } = store.getState().state
  const command = source(state)
  if (dispatcher.preview(command, cause, state).kind !== 'accepted') return undefined
  const made = callKey(session, state, command)
  const called = { child: session, tool: row.claim.name, category: row.tool.category, made }
  return parent.children.count(called, state.policy.above ?? [])
}

/**
 * Names a call. The same call that is made again in its step has the same name; without a step, no two calls are the
 * same.
 */
function callKey(
  session: string,
  { seq, stepCalls }: WorkspaceState,
  { tool, input, call, given = call, resumes = given }: CommandOf<'call.start'>,
): string {
  const since = stepCalls.since === 0 ? seq : stepCalls.since
  const parts = [session, since, resumes, tool, input.ok && input.digest]
  return contentHash(parts).slice('sha256:'.length, 24)
}

function causeOf({ call }: OpenChild): Cause {
  return call === null ? { by: 'host' } : { by: 'tool', call }
}

function hasSameAnswers(one: WorkspaceState, other: WorkspaceState): boolean {
  return one.confirmations === other.confirmations && one.answers === other.answers
}

/** Returns the commands that give a parent the questions of a child, and the answers that they got there. */
function questionCommands(
  { session, store }: OpenChild['parts'],
  parent: WorkspaceState,
): readonly CommandOf<'child.ask' | 'child.settle'>[] {
  const { state } = store.getState()
  const all = allConfirmations(state)
  const known = allConfirmations(parent)
  const find = (list: readonly PendingConfirmation[], id: string) =>
    list.find((one) => one.id === id)
  const asks = state.confirmations
    .filter(({ id }) => find(known, id) === undefined)
    .map((question): CommandOf<'child.ask'> => ({ type: 'child.ask', child: session, question }))
  const settles = known
    .filter((one) => isAskedBy(one, session))
    .flatMap(({ id, consent: before }): CommandOf<'child.settle'>[] => {
      const own = find(all, id)
      const { consent = 'expired' } = own ?? {}
      if (consent === 'pending' || (consent !== 'expired' && before !== 'pending')) return []
      return [{ type: 'child.settle', id, consent, ...givenAnswer(own ?? {}) }]
    })
  return [...asks, ...settles]
}

/** Reports the failure of a command that nobody awaits. A session that is closed meanwhile needs none. */
async function unlessClosed(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code !== 'WORKSPACE_CLOSED') emitWarning(error)
  }
}
