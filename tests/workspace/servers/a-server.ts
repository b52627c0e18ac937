import { ConnectionLost, type ServerConnection, type ServerHost } from 'loadout/adapter'
import type { ServerListing, ServerTerms, ToolServer } from 'loadout/mcp'
import type { Tool, ToolContext } from 'loadout'

/** A server in memory: its tools can be changed, its connection lost, and each stage of it can fail. */
export class MemoryServer implements ToolServer {
  readonly name: string
  readonly trusted: boolean
  readonly hash = 'sha256:0' as ToolServer['hash']
  readonly graceMs: number
  readonly listing?: ServerListing
  tools: readonly Tool[]
  /** Its text for a model. */
  instructions: string | undefined
  /** The stage that fails next: connecting, or the calls. */
  fails: 'connect' | 'call' | 'lost' | null = null
  /** Connections that were opened, and are open now. */
  connects = 0
  open = 0
  calls: string[] = []
  /** Called when it is being connected. */
  onConnect: () => void = () => undefined
  /** Called during each call. */
  onCall: (tool: string, context: ToolContext) => void | Promise<void> = () => undefined
  /** The terms of its calls. */
  terms?: () => ServerTerms
  /** Its tools that are left out, and those without their output schema. */
  leftOut: ServerListing['leftOut'] = []
  withoutOutput: NonNullable<ServerListing['withoutOutput']> = []
  #hosts = new Set<ServerHost>()

  constructor(
    name: string,
    tools: readonly Tool[],
    {
      trusted = false,
      graceMs = 1,
      stored = false,
    }: { trusted?: boolean; graceMs?: number; stored?: boolean } = {},
  ) {
    this.name = name
    this.tools = tools.map(definitionOf)
    this.trusted = trusted
    this.graceMs = graceMs
    if (stored) this.listing = { tools: this.tools, leftOut: [] }
  }

  get #listed(): ServerListing {
    const { instructions } = this
    const { tools, leftOut, withoutOutput } = this
    return { tools, leftOut, withoutOutput, ...(instructions !== undefined && { instructions }) }
  }

  async connect(host: ServerHost): Promise<ServerConnection> {
    this.connects += 1
    this.onConnect()
    if (this.fails === 'connect') throw new Error('It does not answer.')
    this.open += 1
    this.#hosts.add(host)
    const close = async () => {
      if (this.#hosts.delete(host)) this.open -= 1
    }
    return {
      listing: this.#listed,
      close,
      call: async (tool, _input, context) => {
        await this.onCall(tool, context)
        if (this.fails === 'call') throw new Error('It failed.')
        if (this.fails === 'lost') {
          this.fails = null
          await close()
          throw new ConnectionLost('It is gone.', false)
        }
        this.calls.push(tool)
        return `${this.name} did ${tool}`
      },
    }
  }

  /** Loses all connections, and reports it. */
  lose(): void {
    const hosts = [...this.#hosts]
    this.open = 0
    this.#hosts.clear()
    for (const host of hosts) host.onLost(new Error('It is gone.'))
  }

  /** Reports that it has other tools, which are listed later. */
  announce(listing: Promise<ServerListing>): void {
    for (const host of this.#hosts) host.onListing(listing)
  }

  /** Gives other tools, and reports them. */
  change(tools: readonly Tool[]): void {
    this.tools = tools.map(definitionOf)
    for (const host of this.#hosts) host.onListing(this.#listed)
  }
}

function definitionOf(tool: Tool): Tool {
  const { execute: _, ...definition } = tool
  return definition
}
