import { Option } from 'commander'
import type { CliCommand } from '../../shell/cli-command.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { healthReport } from '../../../report/facts/verdict-report.ts'
import { printReport, writeTable } from '../../../report/writers/print-report.ts'
import type { Tool } from '../../../../entries/index.ts'
import type { ServerReport, ServersOptions } from './list-servers.ts'

/** Returns the options of the commands that read a file of servers. */
export function serversOptions(): readonly Option[] {
  return [
    new Option(
      '--file <path>',
      'A file of servers; by default all files of this project and of the home',
    ),
    new Option('--trust', 'Start the commands of the file, and connect to its addresses'),
    new Option('--env <names...>', 'Environment variables that the file may use'),
    new Option('--json', 'Print JSON'),
  ]
}

/** `loadout mcp list`: the servers of a project, with their tools. */
export const mcpListCommand: CliCommand<ServersOptions> = {
  name: 'list',
  summary: 'List the servers of a project, with their tools',
  description:
    'List the servers of a project, or of the given folders, and the tools of each: those next to skills, of the configuration, of .mcp.json, Cursor and VS Code, and of plugins of Claude Code; without a path also those of Claude, Cursor and VS Code in the home. Without --trust nothing is started and nothing is connected: the command lines are shown. Tools that cannot be used are listed with the reason, and servers with the state of the connection, the last lines that their programs wrote, and the variables that they do not get. The exit code is 1 if a server has no list, or a file cannot be read.',
  arguments: '[paths...]',
  options: serversOptions,
  examples: ['loadout mcp list --trust', 'loadout mcp list --file .vscode/mcp.json'],
  async run({ words, options, context }) {
    const { listServers, schemaChanges, writeProblems } = await import('./list-servers.ts')
    const servers = await listServers(words, options, context)
    const changedFor = (tool: Tool) => [
      ...new Set(schemaChanges(tool).map(({ provider }) => provider)),
    ]
    const rows = servers.flatMap(({ name, listing }) => [
      ...(listing?.tools ?? []).map((tool) => {
        const changed = changedFor(tool)
        const note = changed.length === 0 ? '' : ` (schema changed for ${changed.join(', ')})`
        return [name, tool.name, tool.risk, tool.summary + note]
      }),
      ...(listing?.leftOut ?? []).map(({ tool, reason }) => [name, tool, 'left out', reason]),
      ...(listing?.withoutOutput ?? []).map(({ tool, reason }) => [
        name,
        tool,
        'no output',
        reason,
      ]),
    ])
    if (options.json) {
      const report = servers.map(({ name, file, runs, listing, health, problem }) => ({
        name,
        file,
        runs,
        tools: listing?.tools.map((tool) => {
          const { name: called, risk, hash } = tool
          return { name: called, risk, hash, changedFor: changedFor(tool) }
        }),
        leftOut: listing?.leftOut,
        withoutOutput: listing?.withoutOutput,
        health,
        problem,
      }))
      context.stdout.write(jsonText(report))
    } else if (rows.length > 0) {
      writeTable(['SERVER', 'TOOL', 'RISK', 'ABOUT'], rows, context)
      const known = servers.flatMap(({ health, problem }) =>
        health === undefined || problem !== undefined ? [] : healthReport(health),
      )
      printReport(known, context)
    }
    const failed = servers.some(({ problem }) => problem !== undefined)
    if (!options.json) writeProblems(servers, context)
    return failed ? 1 : 0
  },
}

const STRATEGIES = ['active', 'append', 'deferred', 'conversation', 'bridge'] as const

/** `loadout mcp price`: tokens of each server under each strategy, before it is attached. */
export const mcpPriceCommand: CliCommand<ServersOptions> = {
  name: 'price',
  summary: 'Count the tokens of servers in a request, under each strategy',
  description:
    'Count the tokens of the first request of a workspace that has only the tools of one server, under each strategy of exposure: its tools, instructions and conversation. Definitions that a provider keeps out of the prompt do not count. The exit code is 1 if a server has no list.',
  arguments: '[paths...]',
  options: serversOptions,
  examples: ['loadout mcp price --trust'],
  async run({ words, options, context }) {
    const { listServers, writeProblems } = await import('./list-servers.ts')
    const servers = await listServers(words, options, context)
    const prices = await Promise.all(
      servers.flatMap((one) => (one.listing ? priceServer(one) : [])),
    )
    if (options.json) context.stdout.write(jsonText(prices))
    else if (prices.length > 0) {
      const rows = prices.map(({ server, tools, tokens }) => {
        return [server, String(tools), ...STRATEGIES.map((name) => String(tokens[name]))]
      })
      const strategies = STRATEGIES.map((name) => name.toUpperCase())
      writeTable(['SERVER', 'TOOLS', ...strategies], rows, context)
    }
    return writeProblems(servers, context) ? 1 : 0
  },
}

/** Counts the tokens of the first request of a workspace that has only this server, by strategy. */
async function priceServer(listed: ServerReport) {
  const [{ storedServer }, { createCatalog, VirtualWorkspace }] = await Promise.all([
    import('./list-servers.ts'),
    import('../../../../entries/index.ts'),
  ])
  const catalog = await createCatalog({})
  const tokens: Record<string, number> = {}
  for (const exposure of STRATEGIES) {
    const workspace = await VirtualWorkspace.open({ catalog, exposure })
    for (const server of storedServer(listed)) await workspace.attach(server)
    // As an adapter begins it: with the line that says who wrote the workspace's messages.
    const { cost } = await workspace.beginStep({ history: [] })
    tokens[exposure] = Object.values(cost.tokens).reduce((sum, one) => sum + one, 0)
    await workspace.close()
  }
  return { server: listed.name, tools: listed.listing?.tools.length ?? 0, tokens }
}
