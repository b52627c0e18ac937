import {
  type Cause,
  type MemoryLog,
  type Outcome,
  VirtualWorkspace,
  WorkspaceError,
  type WorkspaceListener,
} from '../../../entries/index.ts'
import type { HostTools } from '../manifest/host-tools.ts'
import { newSession } from '../../../workspace/open/begin-session.ts'

type Opened = ReturnType<typeof newSession>

type Command = Opened['commands'][number]

/** The commands that Carnet's classes give. */
type OwnCommand = Extract<
  Command,
  { readonly type: 'skill.activate' | 'source.register' | 'warning.give' }
>

const INITIAL: Cause = { by: 'initial' }

/**
 * The workspace of a session of Carnet, whose classes answer at once. It is opened, and takes commands, without
 * awaiting: they are decided on the current state and appended to the immediate form of the log. What is awaited of a
 * workspace works on the same state and log.
 */
export class CarnetDriver extends VirtualWorkspace<HostTools> {
  readonly #parts: Opened['parts']
  readonly #log: MemoryLog['immediate']

  /**
   * Opens a session that is new to its log; its initial skills are active when this returns.
   *
   * Throws `OPTIONS_INVALID` for a promise of a counter, `SESSION_KNOWN` for a session that the log has,
   * `LOG_NOT_IMMEDIATE` for a log that does not commit at once, and `HOOKS_TAKE_TIME` for an initial skill with hooks. In
   * the last case the session is in the log, and `VirtualWorkspace.open` resumes it.
   */
  constructor(options: Parameters<typeof newSession<HostTools>>[0]) {
    const { log, session, tokenCounter } = options
    if (typeof (tokenCounter as Partial<PromiseLike<never>>).then === 'function') {
      throw new WorkspaceError('OPTIONS_INVALID', '"tokenCounter" is a promise.', {
        facts: { option: 'tokenCounter' },
        hint: 'Await it first, and give the counter: nothing is awaited here.',
      })
    }
    // A host in JavaScript may give any log.
    if ((log.immediate as unknown) === undefined) throw notImmediate(session)
    const listeners = new Set<WorkspaceListener>()
    const { parts, commands } = newSession(options, listeners)
    const outcomes = commands.map((command) => carryOut(command, INITIAL, parts, log.immediate))
    super(
      options,
      parts,
      outcomes.filter((outcome) => !outcome.ok),
      listeners,
    )
    this.#parts = parts
    this.#log = log.immediate
  }

  /**
   * Carries out a command before the call returns. It does not wait in the queue: a queued command that is awaiting
   * its log finds that the state has changed, and is decided again.
   *
   * Throws `LOG_NOT_IMMEDIATE`, `HOOKS_TAKE_TIME`, `SESSION_REPLACED` and `WORKSPACE_CLOSED`.
   */
  carryOut(command: OwnCommand, cause: Cause): Outcome {
    return carryOut(command, cause, this.#parts, this.#log)
  }
}

/** Decides a command, appends its entries and folds them; again when others appended first. */
function carryOut(
  command: Command,
  cause: Cause,
  parts: Opened['parts'],
  log: MemoryLog['immediate'],
): Outcome {
  const { session, store, dispatcher, journal, definitions } = parts
  const inside = dispatcher.refuseInside(command.type)
  if (inside !== null) return inside
  const before = store.getState().state
  for (;;) {
    const { state } = store.getState()
    const decision = dispatcher.preview(command, cause, state)
    if (decision.kind === 'planned' && decision.hooks.length > 0) {
      const { wanted: skill, hooks } = decision
      throw new WorkspaceError('HOOKS_TAKE_TIME', `"${skill}" has hooks, and they are awaited.`, {
        hint: 'Await the command.',
        facts: { skill, hooks: hooks.map((one) => `${one.skill}.${one.hook}`) },
      })
    }
    const isRegistered = command.type === 'source.register' && decision.kind === 'accepted'
    const registration = isRegistered ? command : undefined
    const entries = journal.numbered(decision.drafts, registration)
    for (const { hash, definition, isShared } of definitions.unwritten(decision.drafts)) {
      if (!isShared || !log.definitions.has(hash)) log.definitions.put(hash, definition())
    }
    try {
      // An append without entries finds out, too, that others appended.
      const done: unknown = log.append(session, state.seq + 1, entries, journal.last?.hash)
      if (done !== undefined) throw notImmediate(session)
    } catch (error) {
      if (!WorkspaceError.is(error) || error.code !== 'LOG_CONFLICT') throw error
      catchUp(parts, log, error)
      continue
    }
    journal.fold(entries, registration)
    const refusal = decision.kind === 'refused' ? decision.refusal : null
    return dispatcher.finish(before, { entries, refusal })
  }
}

/** Folds what others appended. Throws `SESSION_REPLACED` when it does not follow the state. */
function catchUp(
  { session, journal, definitions }: Opened['parts'],
  log: MemoryLog['immediate'],
  conflict: WorkspaceError,
): void {
  const { last } = journal
  if (last === null) throw conflict
  const [found, ...missed] = log.read(session, last.seq)
  journal.checkSame(last, missed.length > 0 ? found : undefined, conflict)
  definitions.addStored(log.definitions.get(definitions.unknown(missed)))
  journal.foldForeign(missed)
}

function notImmediate(session: string): WorkspaceError {
  return new WorkspaceError('LOG_NOT_IMMEDIATE', 'This log does not commit at once.', {
    hint: 'Keep the session in a log of createMemoryLog.',
    facts: { session },
  })
}
