import type { CliCommand } from '../shell/cli-command.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { openSession } from '../opening/open-session.ts'
import { toolReports } from './tool-report.ts'
import { writeToolTable } from './tool-table.ts'

/** `loadout tools`: every tool with its owner, its standing and the reason. */
export const toolsCommand: CliCommand<CommonOptions> = {
  name: 'tools',
  summary: 'list every tool: whose it is, whether it can be called, and why',
  description:
    'List every tool, those of inactive skills too. TOKENS is what its definition costs in a request; "#3" is the entry of the log that a reason comes from.',
  arguments: '[paths...]',
  options: commonOptions,
  examples: ['loadout tools examples/workbench --activate data-analysis'],
  async run({ words, options, context }) {
    const tools = toolReports(await openSession(words, options, context))
    if (options.json) context.stdout.write(jsonText(tools))
    else writeToolTable(tools, context)
    return 0
  },
}
