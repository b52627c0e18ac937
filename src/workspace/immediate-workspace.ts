import type { Cause } from '../engine/model/cause.ts'
import type { Command } from '../engine/model/command.ts'
import { invalidOption } from '../kernel/check-options.ts'
import { endLifetimes } from './calls/end-lifetimes.ts'
import type { Dispatch } from './commands/dispatcher.ts'
import { notifyAll, type Outcome, type WorkspaceListener } from './commands/outcome.ts'
import type { EventLog, ImmediateLog } from './log/event-log.ts'
import { isPromiseLike, runSync } from './log/maybe-async.ts'
import { sessionKnown } from './log/session-replaced.ts'
import type { SessionParts } from './offer/session-parts.ts'
import { beginSession } from './open/begin-session.ts'
import { openParts } from './open/open-parts.ts'
import type { OpeningNotice } from './open/opening-notice.ts'
import type { SettledOptions } from './open/workspace-options.ts'
import { VirtualWorkspace } from './virtual-workspace.ts'

/** Options for opening a session that is new to its log, without waiting for anything. */
interface ImmediateOptions<Services> extends SettledOptions<Services> {
  readonly log: EventLog & { readonly immediate: ImmediateLog }
}

/**
 * A workspace that is opened and commanded without awaiting, for adapters with a synchronous interface.
 * It runs the same code over the immediate form of its log. Its token counter is already loaded, and the
 * skills that it activates have no hooks.
 */
export class ImmediateWorkspace<Services = unknown> extends VirtualWorkspace<Services> {
  readonly #parts: SessionParts

  private constructor(
    options: ImmediateOptions<Services>,
    parts: SessionParts,
    notices: readonly OpeningNotice[],
    listeners: Set<WorkspaceListener>,
  ) {
    super(options, parts, notices, listeners)
    this.#parts = parts
  }

  /**
   * Opens a session that is new to its log; its initial skills are active when this returns.
   *
   * Throws `OPTIONS_INVALID` for a promise of a counter, `SESSION_KNOWN` for a session that the log has,
   * `LOG_NOT_IMMEDIATE` for a log that returns a promise, and `HOOKS_TAKE_TIME` for an initial skill with hooks. In the
   * last case the session is in the log, and `VirtualWorkspace.open` resumes it.
   */
  static openNow<Services = unknown>(
    options: ImmediateOptions<Services>,
  ): ImmediateWorkspace<Services> {
    if (isPromiseLike(options.tokenCounter)) {
      const hint = 'Await it first, and give the counter: nothing is awaited here.'
      throw invalidOption('tokenCounter', '"tokenCounter" is a promise.', hint)
    }
    const { immediate } = options.log
    if (immediate.read(options.session, 0, 0).length > 0) {
      throw sessionKnown(options.session, 'Resume it with open, or choose another id.')
    }
    const listeners = new Set<WorkspaceListener>()
    const parts = runSync(openParts(options, notifyAll(listeners), immediate))
    const notices = runSync(beginSession(options, parts, dispatchNow(parts)))
    return new ImmediateWorkspace(options, parts, notices, listeners)
  }

  /**
   * Carries out a command before the call returns. When it begins a turn, the skills whose lifetime has
   * ended are deactivated as well. Throws as `Dispatcher.dispatchNow` does.
   */
  dispatchNow(command: Command, cause: Cause): Outcome {
    const { dispatcher } = this.#parts
    const outcome = dispatcher.dispatchNow(command, cause)
    if (command.type === 'turn.begin' && outcome.ok) {
      runSync(endLifetimes(this.#parts, dispatchNow(this.#parts)))
    }
    return outcome
  }
}

function dispatchNow({ dispatcher }: SessionParts): Dispatch {
  return (command, cause) => dispatcher.dispatchNow(command, cause)
}
