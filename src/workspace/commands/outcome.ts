import type { Refusal } from '../../engine/model/command.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { LeftOut } from '../../engine/model/source-event.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import {
  isEmptyDifference,
  type ToolDifference,
  toolDifference,
  toolTable,
} from '../../engine/standing/tool-table.ts'
import {
  checkKind,
  checkOptions,
  checkedText,
  type OptionTable,
} from '../../kernel/check-options.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** The outcome of a command. `seq` is the number of the last entry of the session when the command ended. */
export type Outcome = SuccessfulOutcome | RefusedOutcome

interface SuccessfulOutcome {
  readonly ok: true
  readonly seq: number
  readonly difference: ToolDifference
  /** The tools of an attached server that are left out; absent for other commands. */
  readonly leftOut?: readonly LeftOut[]
  /** The tools that another owner's tool covers since the server was attached, on either side; absent for other commands. */
  readonly shadowed?: readonly { readonly tool: string; readonly by: string }[]
  /** Returns this outcome. */
  orThrow(): SuccessfulOutcome
}

export interface RefusedOutcome extends Refusal {
  readonly ok: false
  readonly seq: number
  /** Throws a `WorkspaceError` with the code, the message, the facts and the hint of the refusal. */
  orThrow(): never
}

/**
 * Returns the outcome of a command that changed one state to another. The tool tables are compared when
 * the difference is read: opening a session does not read it.
 */
export function successfulOutcome(
  before: WorkspaceState,
  after: WorkspaceState,
  context: EngineContext,
): SuccessfulOutcome {
  let difference: ToolDifference | undefined
  const outcome: Omit<SuccessfulOutcome, 'orThrow'> = {
    ok: true,
    seq: after.seq,
    get difference() {
      difference ??= toolDifference(toolTable(before, context), toolTable(after, context))
      return difference
    },
  }
  // Not enumerable: a listed or copied outcome is plain data.
  return Object.defineProperty(outcome, 'orThrow', { value: () => outcome }) as SuccessfulOutcome
}

/** Returns the outcome of a command that was refused. */
export function refusedOutcome(seq: number, refusal: Refusal): RefusedOutcome {
  const outcome: Omit<RefusedOutcome, 'orThrow'> = { ok: false, seq, ...refusal }
  const value = () => {
    const { code, message, facts, hint } = outcome
    throw new WorkspaceError(code, message, { facts, hint })
  }
  return Object.defineProperty(outcome, 'orThrow', { value }) as RefusedOutcome
}

/** The giver of a command: the host's own code (`host`, the default), or a person. */
export interface CommandOptions {
  readonly by?: 'host' | 'user'
}

/** The options of every command. */
export const COMMAND_OPTIONS: OptionTable = { by: ['host', 'user'] }

/** The members of commands that are text. */
const NAMES: ReadonlySet<string> = new Set(['skill', 'tool', 'owner', 'id', 'component', 'summary'])

/** Checks the names and the options of a command, which JavaScript may get wrong. Throws `OPTIONS_INVALID`. */
export function checkCommand(command: object, options: unknown, own: OptionTable): void {
  if (options !== undefined) checkOptions(options, { ...COMMAND_OPTIONS, ...own })
  for (const [member, value] of Object.entries(command)) {
    const isRemoved = member === 'summary' && value === null
    if (typeof value !== 'string' && NAMES.has(member) && !isRemoved) checkedText(value, member)
    // The text "false" must not count as true.
    if (member === 'enabled') checkKind(value, member, 'switch')
  }
}

/**
 * Called once per command, with its outcome and its entries.
 *
 * @param origin `own` for a command of this workspace; `foreign` for one of another workspace on the same
 *   session, mostly in another process. The latter are only reported while the session is followed
 */
export type WorkspaceListener = (
  outcome: Outcome,
  entries: readonly Entry[],
  origin: 'own' | 'foreign',
) => void

/** Returns a listener that calls a function when the available tools change. */
export function whenToolsChange(callback: () => void): WorkspaceListener {
  return (outcome) => outcome.ok && !isEmptyDifference(outcome.difference) && callback()
}

/** Returns a listener that calls all of these, including those that are added later. */
export function notifyAll(listeners: ReadonlySet<WorkspaceListener>): WorkspaceListener {
  return (outcome, entries, origin) => {
    for (const listener of listeners) void notifyListener(listener, outcome, entries, origin)
  }
}

/** Calls a listener. Never rejects: a listener that fails leads to a warning of the process. */
export async function notifyListener<Given extends readonly unknown[]>(
  listener: (...given: Given) => unknown,
  ...given: Given
): Promise<void> {
  try {
    await listener(...given)
  } catch (error) {
    emitWarning(error)
  }
}

/** Reports an error that no caller awaits, as a warning of the process. */
export function emitWarning(error: unknown): void {
  const detail = error instanceof Error && error.stack !== undefined ? error.stack : ''
  writeWarning(thrownMessage(error), { type: 'LoadoutListenerWarning', detail })
}

/** Writes a warning of the process, or to the console of a browser. */
export function writeWarning(message: string, options: { type: string; detail?: string }): void {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  if (process?.emitWarning) process.emitWarning(message, options)
  // oxlint-disable-next-line no-console -- a browser has no other place for it
  else console.warn(`${options.type}: ${message}`, options.detail ?? '')
}
