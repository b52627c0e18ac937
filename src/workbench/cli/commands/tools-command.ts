import type { Reason, ToolSource, ToolStatus } from '../../../entries/index.ts'
import { reachWord, type ToolReach } from '../../../entries/plan.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { openingOptions, type OpeningOptions } from '../shell/opening-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { writeTable } from '../shell/write-table.ts'

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
    const tools = await toolReports(session)
    if (options.json) context.stdout.write(jsonText(tools))
    else {
      writeToolTable(tools, context)
      const { writeNextRequest } = await import('../shell/request-report.ts')
      await writeNextRequest(session.workspace, context)
    }
    return 0
  },
}

/** An element of `tools --json`. */
export interface ToolReport {
  readonly name: string
  readonly source: ToolSource
  readonly owner: string
  readonly status: ToolStatus
  /** The way in which the next request brings it to the model. */
  readonly reach: ToolReach
  /** True for `sent`. */
  readonly exposed: boolean
  readonly available: boolean
  readonly asks: boolean
  /** Tokens of its definition in a request; null when the log has only its description. */
  readonly tokens: number | null
  readonly because: readonly Reason[]
}

/** Returns all tools of a session, including those of inactive skills. */
export async function toolReports({
  workspace,
  counter,
}: Pick<OpenSession, 'workspace' | 'counter'>): Promise<readonly ToolReport[]> {
  const [{ listingAddress }, { knownToolTokens, nextRequest, toolReach }] = await Promise.all([
    import('../../../entries/kit.ts'),
    import('../../../entries/plan.ts'),
  ])
  const reachIn = toolReach(await nextRequest(workspace))
  return workspace.tools().map((listing) => {
    const { name, source, owner, status, asks, tool } = listing
    const reach = reachIn(listing)
    return {
      name,
      source,
      owner,
      status,
      reach,
      exposed: reach === 'sent',
      available: status === 'available',
      asks,
      tokens: tool === undefined ? 0 : knownToolTokens(tool, counter, name),
      because: workspace.explain(listingAddress(listing)).because,
    }
  })
}

/** Writes tools as a table, each with the last of its reasons. */
export function writeToolTable(tools: readonly ToolReport[], context: CliContext): void {
  writeTable(
    ['TOOL', 'FROM', 'STATUS', 'TOKENS', 'REASON'],
    tools.map(({ name, source, owner, tokens, because, available, asks, exposed, ...tool }) => {
      const remarks = [...(asks ? ['asks first'] : []), ...(exposed && !available ? ['sent'] : [])]
      const last = because.at(-1)
      return [
        name,
        source === 'global' ? owner : `${source} ${owner}`,
        {
          text: [reachWord(tool), ...remarks].join(', '),
          colour: available ? 'green' : undefined,
        },
        String(tokens ?? '?'),
        last === undefined ? '' : `#${last.seq} ${last.text}`,
      ]
    }),
    context,
  )
}
