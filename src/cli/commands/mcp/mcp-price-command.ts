import type { CliCommand } from '../../shell/cli-command.ts'
import { jsonText } from '../../shell/json-text.ts'
import { writeTable } from '../../shell/write-table.ts'
import {
  type ServerReport,
  listServers,
  type ServersOptions,
  serversOptions,
  storedServer,
  writeProblems,
} from './list-servers.ts'

const STRATEGIES = ['active', 'append', 'deferred', 'conversation', 'bridge'] as const

/** The tokens of the first request of a workspace that has only this server, by strategy. */
interface ServerPrice {
  readonly server: string
  readonly tools: number
  readonly tokens: Readonly<Record<string, number>>
}

/** `loadout mcp price`: tokens of each server under each strategy, before it is attached. */
export const mcpPriceCommand: CliCommand<ServersOptions> = {
  name: 'price',
  summary: 'Count the tokens of servers in a request, under each strategy',
  description:
    'Count the tokens of the first request of a workspace that has only the tools of one server, under each strategy of exposure: its tools, instructions and conversation. Definitions that a provider keeps out of the prompt do not count. The exit code is 1 if a server has no list.',
  arguments: '',
  options: serversOptions,
  examples: ['loadout mcp price --trust'],
  async run({ options, context }) {
    const servers = await listServers(options, context)
    const prices = await Promise.all(servers.flatMap((one) => (one.listing ? priceOf(one) : [])))
    if (options.json) context.stdout.write(jsonText(prices))
    else if (prices.length > 0) {
      const rows = prices.map(({ server, tools, tokens }) =>
        [server, String(tools), ...STRATEGIES.map((name) => String(tokens[name]))].map((text) => ({
          text,
        })),
      )
      writeTable(
        ['SERVER', 'TOOLS', ...STRATEGIES.map((name) => name.toUpperCase())],
        rows,
        context,
      )
    }
    return writeProblems(servers, context) ? 1 : 0
  },
}

async function priceOf(listed: ServerReport): Promise<ServerPrice> {
  const [{ createCatalog }, { VirtualWorkspace }] = await Promise.all([
    import('../../../catalog/create/create-catalog.ts'),
    import('../../../workspace/virtual-workspace.ts'),
  ])
  const catalog = await createCatalog({})
  const tokens: Record<string, number> = {}
  for (const exposure of STRATEGIES) {
    const workspace = await VirtualWorkspace.open({ catalog, exposure })
    for (const server of storedServer(listed)) await workspace.attach(server)
    const { cost } = await workspace.beginStep()
    tokens[exposure] = Object.values(cost.tokens).reduce((sum, one) => sum + one, 0)
    await workspace.close()
  }
  return { server: listed.name, tools: listed.listing?.tools.length ?? 0, tokens }
}
