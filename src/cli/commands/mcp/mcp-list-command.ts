import type { CliCommand } from '../../shell/cli-command.ts'
import { jsonText } from '../../shell/json-text.ts'
import { writeTable } from '../../shell/write-table.ts'
import { listServers, type ServersOptions, serversOptions, writeProblems } from './list-servers.ts'

/** `loadout mcp list`: the servers of a file, with their tools. */
export const mcpListCommand: CliCommand<ServersOptions> = {
  name: 'list',
  summary: 'List the servers of a file, with their tools',
  description:
    'List the servers of .mcp.json, or of a file of Claude, Cursor or VS Code, and the tools of each. Without --trust nothing is started and nothing is connected: the command lines are shown. Tools that cannot be used are listed with the reason. The exit code is 1 if a server has no list.',
  arguments: '',
  options: serversOptions,
  examples: ['loadout mcp list --trust', 'loadout mcp list --file .vscode/mcp.json'],
  async run({ options, context }) {
    const servers = await listServers(options, context)
    const rows = servers.flatMap(({ name, listing }) => [
      ...(listing?.tools ?? []).map((tool) => [name, tool.name, tool.risk, tool.summary]),
      ...(listing?.leftOut ?? []).map(({ tool, reason }) => [name, tool, 'left out', reason]),
    ])
    if (options.json) {
      const report = servers.map(({ name, runs, listing, problem }) => ({
        name,
        runs,
        tools: listing?.tools.map(({ name: tool, risk, hash }) => ({ name: tool, risk, hash })),
        leftOut: listing?.leftOut,
        problem,
      }))
      context.stdout.write(jsonText(report))
    } else if (rows.length > 0) {
      const cells = rows.map((row) => row.map((text) => ({ text })))
      writeTable(['SERVER', 'TOOL', 'RISK', 'ABOUT'], cells, context)
    }
    const failed = servers.some(({ problem }) => problem !== undefined)
    if (!options.json) writeProblems(servers, context)
    return failed ? 1 : 0
  },
}
