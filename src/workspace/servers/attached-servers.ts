import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import { isObject } from '../../kernel/json-value.ts'
import { checkedText, checkOptions } from '../../kernel/check-options.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import type { ServerListing, ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import {
  COMMAND_OPTIONS,
  type CommandOptions,
  emitWarning,
  type Outcome,
} from '../commands/outcome.ts'
import type { Clock } from '../log/clock.ts'
import { ServerLink } from './server-link.ts'

/** Options of attaching a server. */
export interface AttachOptions extends CommandOptions {
  /** The treatment of tools whose name another owner has; the server is refused when absent. */
  readonly onConflict?: OnConflict
}

interface AttachedParts {
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  readonly closing: AbortController
}

interface Attached {
  readonly link: ServerLink
  readonly onConflict: OnConflict
}

/**
 * The servers of one session. A server has one connection in each session, so that sessions share nothing. The log has
 * the tools; the connections are in this process only.
 */
export class AttachedServers {
  readonly #parts: () => AttachedParts
  readonly #attached = new Map<string, Attached>()

  constructor(parts: () => AttachedParts) {
    this.#parts = parts
  }

  /**
   * Attaches a server: registers all its tools in one entry. With a stored listing it is not connected before the
   * first call. A server that was attached before under this name is replaced.
   */
  async attach(server: ToolServer, options: AttachOptions = {}): Promise<Outcome> {
    assertServer(server)
    checkOptions(options, { ...COMMAND_OPTIONS, onConflict: ['refuse', 'shadow', 'namespace'] })
    const { by = 'host', onConflict = 'refuse' } = options
    const { dispatcher } = this.#parts()
    dispatcher.accepts()
    const before = this.#attached.get(server.name)
    const attached = this.#attachedTo(server, onConflict)
    let listing: ServerListing
    try {
      listing = server.listing ?? (await attached.link.connect())
    } catch (error) {
      await attached.link.close()
      return dispatcher.dispatch(failure(server, error), { by })
    }
    this.#attached.set(server.name, attached)
    const outcome = await dispatcher.dispatch(syncOf(attached, listing), { by })
    if (outcome.ok) {
      await before?.link.close()
      const warning = leftOutWarning(server, listing)
      if (warning !== null) await dispatcher.dispatch(warning, { by })
    } else {
      if (before === undefined) this.#attached.delete(server.name)
      else this.#attached.set(server.name, before)
      await attached.link.close()
    }
    return outcome
  }

  /** Detaches a server with all its tools, and ends its connection. */
  async detach(server: string, options: CommandOptions = {}): Promise<Outcome> {
    checkedText(server, 'server')
    checkOptions(options, COMMAND_OPTIONS)
    const { by = 'host' } = options
    const command = { type: 'source.unregister', source: 'server', owner: server } as const
    const outcome = await this.#parts().dispatcher.dispatch(command, { by })
    const attached = this.#attached.get(server)
    this.#attached.delete(server)
    await attached?.link.close()
    return outcome
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#attached.values()].map(({ link }) => link.close()))
    this.#attached.clear()
  }

  #attachedTo(server: ToolServer, onConflict: OnConflict): Attached {
    const { clock, closing, dispatcher } = this.#parts()
    const link: ServerLink = new ServerLink(server, {
      clock,
      closing: closing.signal,
      onListing: async (listing) => {
        // Before it is attached, its tools are registered by the command that attaches it.
        if (this.#attached.get(server.name) !== attached) return
        const cause: Cause = { by: 'server', server: server.name }
        const outcome = await dispatcher.dispatch(syncOf(attached, listing), cause)
        if (!outcome.ok) emitWarning(new Error(outcome.message))
      },
    })
    const attached: Attached = { link, onConflict }
    return attached
  }
}

/** The command that registers what a server lists, with handlers that call it. */
function syncOf({ link, onConflict }: Attached, { tools }: ServerListing): Command {
  const { name: owner, trusted } = link.server
  const bound = tools.map((tool): Tool =>
    Object.freeze({
      ...tool,
      execute: (input, context) => link.call(tool, input, context),
    } satisfies Tool),
  )
  const terms = { onConflict, ...(!trusted && { trusted }) }
  return { type: 'source.sync', source: 'server', owner, tools: bound, ...terms }
}

/** The command that records the tools of a server that are not offered; null when there are none. */
function leftOutWarning({ name }: ToolServer, { leftOut }: ServerListing): Command | null {
  if (leftOut.length === 0) return null
  const shown = leftOut.slice(0, MOST_SHOWN).map(({ tool, reason }) => `"${tool}": ${reason}`)
  const others = leftOut.length - shown.length
  return {
    type: 'warning.give',
    code: 'server-tools-left-out',
    subject: name,
    message: `Tools of the server "${name}" are left out. ${shown.join(' ')}${others > 0 ? ` And ${others} more.` : ''}`,
    hint: 'The others can be called. Report the reasons to the author of the server.',
  }
}

/** Tools that are left out, and named in the warning. */
const MOST_SHOWN = 10

/** The command that records why a server was not attached. */
function failure({ name }: ToolServer, error: unknown): Command {
  const known = WorkspaceError.is(error)
  return {
    type: 'source.fail',
    owner: name,
    refusal: {
      code: 'server-failed',
      message: `The server "${name}" was not attached: ${thrownMessage(error)}`,
      hint: known ? error.hint : 'Nothing changed. Check its configuration, and try again.',
      facts: { server: name, ...(known && { ...error.facts, stage: error.code }) },
    },
  }
}

function assertServer(given: unknown): void {
  if (
    isObject(given) &&
    typeof given['connect'] === 'function' &&
    typeof given['name'] === 'string'
  )
    return
  throw new WorkspaceError('OPTIONS_INVALID', 'The value is not a server of tools.', {
    facts: { option: 'server' },
    hint: 'Make one with mcpServer of loadout/mcp.',
  })
}
