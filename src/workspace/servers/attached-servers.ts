import type { Cause } from '../../engine/model/cause.ts'
import type { Command, Refusal } from '../../engine/model/command.ts'
import type { EngineContext, ListedServer } from '../../engine/model/engine-context.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import { checkedText, checkOptions } from '../../kernel/check-options.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { isObject } from '../../kernel/json-value.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import type { ServerHealth, ServerListing, ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { outsideHooks } from '../commands/carry-out-plan.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import {
  COMMAND_OPTIONS,
  type CommandOptions,
  emitWarning,
  type Outcome,
} from '../commands/outcome.ts'
import type { SessionStore } from '../commands/session-store.ts'
import type { Clock } from '../log/clock.ts'
import type { DefinitionRegistry } from '../log/definition-registry.ts'
import {
  failCommand,
  floodWarning,
  lacksOthers,
  leftOut,
  leftOutWarning,
  syncCommand,
} from './sync-command.ts'
import { ServerLink } from './server-link.ts'

/** Options of attaching a server. */
export interface AttachOptions extends CommandOptions {
  /** The treatment of tools whose name another owner has; they are left out when absent. */
  readonly onConflict?: OnConflict
}

interface AttachedParts {
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  readonly closing: AbortController
  readonly store: SessionStore
  readonly definitions: DefinitionRegistry
  readonly context: EngineContext
}

/** A server with its connection in this session. */
interface Attached {
  readonly link: ServerLink
  readonly onConflict: OnConflict
  /** Its tools that this process knows; undefined before it was connected, without a stored listing. */
  listing: ServerListing | undefined
  /** True when its tools have changed since an activation was planned with them. */
  isChanged: boolean
  /** True while the activation for which it was connected is not committed: the connection is not ended. */
  isPending: boolean
  /** The reason why it could not be connected for a skill; undefined once it was connected again. */
  failure?: Pick<Refusal, 'message' | 'hint'> | undefined
  /** Its tools with handlers. */
  readonly bound: WeakMap<Tool, Tool>
  /** Ends its connection, while no tool needs it. */
  ending?: NodeJS.Timeout | undefined
  /** The floods that are in the log. */
  readonly floods: Set<string>
}

/**
 * The servers of one session. A server has one connection in each session, so that sessions share nothing. The log has
 * the tools; the connections are in this process only.
 */
export class AttachedServers {
  readonly #parts: () => AttachedParts
  /** Created with the first, so that an idle session has none. */
  #known: Map<string, Attached> | undefined
  #stopWatching: (() => void) | undefined

  constructor(parts: () => AttachedParts) {
    this.#parts = parts
  }

  get #attached(): Map<string, Attached> {
    return (this.#known ??= new Map())
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
    const isSame = before?.link.server === server
    const attached = isSame ? before : this.#attachedTo(server, onConflict)
    try {
      attached.listing ??= await attached.link.connect()
    } catch (error) {
      await attached.link.close()
      return dispatcher.dispatch(failCommand(server, error), { by })
    }
    const { listing } = attached
    this.#attached.set(server.name, attached)
    this.#watch()
    attached.isChanged = false
    const outcome = await dispatcher.dispatch(synced(attached, listing), { by })
    const replaced = outcome.ok ? before : attached
    if (!outcome.ok && before !== undefined) this.#attached.set(server.name, before)
    else if (!outcome.ok) this.#attached.delete(server.name)
    if (!isSame) await replaced?.link.close()
    const warning = outcome.ok ? leftOutWarning(server, listing) : null
    if (warning !== null) await dispatcher.dispatch(warning, { by })
    return outcome.ok ? Object.assign(outcome, this.#covered(server.name)) : outcome
  }

  /** Returns the tools of a server that are left out, and those that it covers, or that are covered by others. */
  #covered(server: string) {
    const { store, context } = this.#parts()
    const { state } = store.getState()
    const { rows, byName } = toolTable(state, context)
    const shadowed = rows.flatMap(({ name: tool, status, owner, claim }) => {
      const by = byName.get(claim.name)?.owner
      if (status !== 'shadowed' || by === undefined) return []
      const isIts = [owner, by].some((one) => one.source === 'server' && one.owner === server)
      return isIts ? [{ tool, by: by.owner }] : []
    })
    const open = state.open.find(({ source, owner }) => source === 'server' && owner === server)
    return { leftOut: open?.leftOut?.tools ?? [], shadowed }
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

  /**
   * Connects to a server that a skill brings, so that its tools are known when the activation is decided again.
   *
   * @param undo the activation failed: the connection ends after its grace time
   */
  async bring(server: string, undo: boolean): Promise<void> {
    const attached = this.#find(server)
    if (attached === undefined) return
    clearTimeout(attached.ending)
    attached.ending = undefined
    attached.isPending = !undo
    try {
      // The connection outlives the activation, and registers tools by commands, which are refused inside hooks.
      if (!undo) attached.listing = await outsideHooks(() => attached.link.connect())
    } catch (error) {
      attached.isPending = false
      const hint = WorkspaceError.is(error) && error.hint
      attached.failure = { message: thrownMessage(error), hint: hint || CHECK }
      throw error
    } finally {
      if (!attached.isPending) this.#endUnused(this.#parts().store.getState().state)
    }
  }

  /** Returns the tools of a server, with handlers, as `EngineContext.listing` says. */
  listing(server: string, isEager: boolean): ListedServer | undefined {
    const attached = this.#find(server)
    if (attached?.listing === undefined) return undefined
    const { link, ending } = attached
    const isConnected = link.isConnected && ending === undefined
    const { listing: stored, trusted, eager = false } = link.server
    if (!isConnected && (isEager || eager || stored === undefined)) return undefined
    attached.isChanged = false
    const { definitions } = this.#parts()
    const { tools, instructions } = attached.listing
    const unusable = leftOut(server, attached.listing)
    const bound = (listed: readonly Tool[]) =>
      listed.map((tool) => {
        definitions.add(tool)
        return boundTool(attached, tool)
      })
    const isOther = stored !== undefined && stored !== attached.listing
    return {
      tools: bound(tools),
      trusted,
      ...(isOther && !trusted && { agreed: bound(stored.tools) }),
      ...(unusable.length > 0 && { leftOut: unusable }),
      ...(instructions !== undefined && { instructions }),
    }
  }

  /** Returns a tool of a server with its handler; undefined for a server that this process does not know. */
  bound(server: string, hash: ContentHash): Tool | undefined {
    const attached = this.#find(server)
    const tool = attached && this.#parts().definitions.tool(hash)
    return attached && tool && boundTool(attached, tool)
  }

  /** Returns the health of a server; undefined for one that this process does not know. */
  health(server: string): ServerHealth | undefined {
    return this.#find(server)?.link.health
  }

  /** Returns the health of all servers that this process has attached or connected. */
  healths(): readonly ServerHealth[] {
    return [...(this.#known?.values() ?? [])].map(({ link }) => link.health)
  }

  /** Waits for the lists that servers announced, as `ServerLink.announced` says; undefined when there are none. */
  announced(): Promise<unknown> | undefined {
    const waits = [...(this.#known?.values() ?? [])].flatMap(({ link }) => link.announced() ?? [])
    return waits.length === 0 ? undefined : Promise.all(waits)
  }

  /** Returns why a server could not be connected, as `EngineContext.connectFailure` says. */
  connectFailure(server: string): Attached['failure'] {
    return this.#known?.get(server)?.failure
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    this.#stopWatching?.()
    const all = [...(this.#known?.values() ?? [])]
    for (const { ending } of all) clearTimeout(ending)
    await Promise.all(all.map(({ link }) => link.close()))
    this.#known?.clear()
  }

  /** Returns an attached server, or one of the catalog, which is not connected yet. */
  #find(server: string): Attached | undefined {
    const known = this.#known?.get(server)
    const { context } = this.#parts()
    const defined = known === undefined ? context.catalog.servers?.get(server) : undefined
    if (defined === undefined) return known
    const attached = this.#attachedTo(defined, 'refuse')
    this.#attached.set(server, attached)
    this.#watch()
    return attached
  }

  #watch(): void {
    this.#stopWatching ??= this.#parts().store.subscribe(({ state }, before) => {
      // Handlers are bound again without an entry.
      const hasEntry = state.seq !== before.state.seq
      if (hasEntry && state.open !== before.state.open) this.#endUnused(state, before.state)
    })
  }

  /** Ends the connections that no tool needs any more, after their grace time, and registers tools whose names are free. */
  #endUnused({ open }: WorkspaceState, before?: WorkspaceState): void {
    const servers = open.filter(({ source }) => source === 'server')
    const used = new Map(servers.map((one) => [one.owner, one]))
    for (const [name, attached] of this.#known ?? []) {
      const { link } = attached
      const server = used.get(name)
      if (server !== undefined) {
        clearTimeout(attached.ending)
        attached.ending = undefined
        attached.isPending = false
        const mayHaveMore = before !== undefined && lacksOthers(server, before.open, open)
        if (attached.isChanged || mayHaveMore) void this.#sync(attached).catch(() => undefined)
      } else if (attached.ending === undefined && !attached.isPending) {
        attached.ending = setTimeout(() => {
          attached.ending = undefined
          void link.close()
        }, link.server.graceMs).unref()
      }
    }
  }

  #attachedTo(server: ToolServer, onConflict: OnConflict): Attached {
    const { clock, closing } = this.#parts()
    const link: ServerLink = new ServerLink(server, {
      clock,
      closing: closing.signal,
      onListing: async (listing) => {
        attached.failure = undefined
        const isNew = attached.listing !== listing
        attached.listing = listing
        if (!isNew || this.#attached.get(server.name) !== attached) return
        attached.isChanged = true
        const { open } = this.#parts().store.getState().state
        const isOpen = open.some(
          ({ source, owner }) => source === 'server' && owner === server.name,
        )
        // Before it is attached, its tools are registered by the command that attaches it.
        if (isOpen) await this.#sync(attached)
      },
      onFlood: (what) => {
        const { floods } = attached
        if (floods.has(what) || floods.size === MOST_WARNINGS) return
        floods.add(what)
        const command = floodWarning(server, what)
        void this.#parts()
          .dispatcher.dispatch(command, { by: 'server', server: server.name })
          .catch(emitWarning)
      },
    })
    const attached: Attached = {
      link,
      onConflict,
      listing: server.listing,
      isChanged: false,
      isPending: false,
      bound: new WeakMap(),
      floods: new Set(),
    }
    return attached
  }

  /** Registers the tools that an attached server has now. */
  async #sync(attached: Attached): Promise<void> {
    const { link, listing } = attached
    if (listing === undefined) return
    attached.isChanged = false
    const cause: Cause = { by: 'server', server: link.server.name }
    const outcome = await this.#parts().dispatcher.dispatch(synced(attached, listing), cause)
    if (!outcome.ok) emitWarning(new Error(outcome.message))
  }
}

/** Warnings about one server that sends too much: it may write other words each time. */
const MOST_WARNINGS = 10

const CHECK = 'Check the configuration of the server.'

function boundTool({ link, bound }: Attached, tool: Tool): Tool {
  const known = bound.get(tool)
  if (known !== undefined) return known
  const { timeoutMs, renewOnProgress, resultTokens } = link.server.terms?.(tool) ?? {}
  const made: Tool = Object.freeze({
    ...tool,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(renewOnProgress && { renewOnProgress }),
    ...(resultTokens !== undefined && { resultTokens }),
    execute: (input, context) => link.call(tool, input, context),
  } satisfies Tool)
  bound.set(tool, made)
  return made
}

function synced(attached: Attached, listing: ServerListing): Command {
  const tools = listing.tools.map((tool) => boundTool(attached, tool))
  return syncCommand(attached.link.server, listing, tools, attached.onConflict)
}

function assertServer(given: unknown): void {
  const isServer = isObject(given) && typeof given['name'] === 'string'
  if (isServer && typeof given['connect'] === 'function') return
  throw new WorkspaceError('OPTIONS_INVALID', 'The value is not a server of tools.', {
    facts: { option: 'server' },
    hint: 'Make one with mcpServer of loadout/mcp.',
  })
}
