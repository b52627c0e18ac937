import type { ToolsReport } from '../../report/facts/tools-report.ts'
import { jsonText, rowValues } from '../../report/writers/json-text.ts'
import { printReport } from '../../report/writers/print-report.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { openingOptions, type OpeningOptions } from '../shell/opening-options.ts'

/** `loadout tools`: list all tools with their owner, their status and the reason. */
export const toolsCommand: CliCommand<OpeningOptions> = {
  name: 'tools',
  summary: 'List tools with their owner, their status and the reason',
  description:
    'List all tools, including those of inactive skills. STATUS says how the next request brings a tool to the model: "sent", "by search" when a search has to find it first, "not sent", "inactive" with its skill, or why it is refused. TOKENS is the size of the definition in a request. "#3" refers to entry 3 of the session log, which the reason comes from. The last line is the price of the next request.',
  arguments: '[paths...]',
  options: openingOptions,
  examples: ['loadout tools examples/workbench --activate data-analysis'],
  async run({ words, options, context }) {
    const session = await openSession(words, options, context)
    const tools = await openToolsReport(session)
    if (options.json) context.stdout.write(jsonText(rowValues(tools)))
    else {
      const { nextRequestText } = await import('../../report/facts/request-report.ts')
      printReport([tools, await nextRequestText(session.workspace)], context)
    }
    return 0
  },
}

/** Returns all tools of a session, including those of inactive skills. */
export async function openToolsReport({
  workspace,
  counter,
}: Pick<OpenSession, 'workspace' | 'counter'>): Promise<ToolsReport> {
  const [{ toolsReport }, { nextRequest }] = await Promise.all([
    import('../../report/facts/tools-report.ts'),
    import('../../../entries/plan.ts'),
  ])
  return toolsReport(workspace, counter, await nextRequest(workspace))
}
