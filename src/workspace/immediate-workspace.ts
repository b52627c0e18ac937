import type { Cause } from '../engine/model/cause.ts'
import type { Command } from '../engine/model/command.ts'
import { endLifetimesNow } from './calls/end-lifetimes.ts'
import type { Outcome } from './commands/outcome.ts'
import { notifyAll, type WorkspaceListener } from './commands/workspace-listener.ts'
import type { SessionParts } from './offer/session-parts.ts'
import { beginSessionNow } from './open/begin-session.ts'
import { type ImmediateOptions, openPartsNow } from './open/open-parts.ts'
import type { OpeningNotice } from './open/opening-notice.ts'
import { VirtualWorkspace } from './virtual-workspace.ts'

/**
 * A workspace that is opened and commanded without awaiting, for adapters whose interface is
 * synchronous. The same decide, append and evolve; it takes a log that commits at once, a token
 * counter that is loaded, and skills without hooks.
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

  /** Open a session the log does not know; its initial skills are active when this returns. */
  static openNow<Services = unknown>(
    options: ImmediateOptions<Services>,
  ): ImmediateWorkspace<Services> {
    const listeners = new Set<WorkspaceListener>()
    const parts = openPartsNow(options, notifyAll(listeners))
    return new ImmediateWorkspace(options, parts, beginSessionNow(options, parts), listeners)
  }

  /**
   * Carry a command out at once, and, where a turn begins, put away the skills that were to last
   * until now; see `Dispatcher.dispatchNow` for what it throws.
   */
  dispatchNow(command: Command, cause: Cause): Outcome {
    const { definitions, dispatcher } = this.#parts
    if (command.type === 'source.register') command.tools.forEach((tool) => definitions.bind(tool))
    const outcome = dispatcher.dispatchNow(command, cause)
    if (command.type === 'turn.begin' && outcome.ok) endLifetimesNow(this.#parts)
    return outcome
  }
}
