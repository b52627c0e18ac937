import { sanitiseLine } from '../../../../entries/kit.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import type { ServersOptions } from './list-servers.ts'
import { serversOptions } from './mcp-list-command.ts'

/** `loadout mcp why`: the status that a tool of a server would have. */
export const mcpWhyCommand: CliCommand<ServersOptions> = {
  name: 'why',
  summary: 'Explain why a tool of a server could or could not be used',
  description:
    'Attach the servers of a file to an empty workspace and explain the status of one of their tools, by its name there: the name of the server, "_" and that of the tool. The exit code is 1 if no tool has the name.',
  arguments: '<tool>',
  options: serversOptions,
  examples: ['loadout mcp why github_create_issue --trust'],
  async run({ words: [tool = ''], options, context }) {
    const [
      { listServers, schemaChanges, storedServer, writeProblems },
      { createCatalog, VirtualWorkspace },
    ] = await Promise.all([import('./list-servers.ts'), import('../../../../entries/index.ts')])
    const servers = await listServers([], options, context)
    const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({}) })
    context.onEnd(() => workspace.close())
    for (const server of servers.flatMap(storedServer)) await workspace.attach(server)
    const report = workspace.explain(tool)
    const offered = workspace.getAvailableTools().find(({ name }) => name === report.name)
    const changes = offered === undefined ? [] : schemaChanges(offered)
    if (options.json) context.stdout.write(jsonText({ ...report, sentChanges: changes }))
    else {
      const say = (line: string) => context.stdout.write(`${sanitiseLine(line)}\n`)
      say(`${report.name}: ${report.status}`)
      for (const { seq, text } of report.because) say(`  #${seq} ${text}`)
      for (const { provider, path, message } of changes) {
        say(`  sent to ${provider}: ${path === '' ? '' : `${path}: `}${message}`)
      }
      if (report.fix !== '') say(`fix: ${report.fix}`)
    }
    writeProblems(servers, context)
    return report.status === 'unknown' ? 1 : 0
  },
}
