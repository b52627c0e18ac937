import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { type TextCell, writeTable } from '../shell/write-table.ts'
import type { Reason } from '../../engine/explain/explanation.ts'
import type { ToolSource } from '../../engine/model/source-event.ts'
import { listingAddress } from '../../engine/standing/list-tools.ts'
import type { ToolStatus } from '../../engine/standing/tool-status.ts'
import { definitionTokens } from '../../render/prompt/ledger/section-tokens.ts'

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

/** One element of `tools --json`. */
export interface ToolReport {
  readonly name: string
  readonly source: ToolSource
  readonly owner: string
  readonly status: ToolStatus
  /** In the last step of the session; before the first, what a step would put before the model. */
  readonly exposed: boolean
  readonly available: boolean
  readonly asks: boolean
  /** What its definition costs in a request. */
  readonly tokens: number
  readonly because: readonly Reason[]
}

/** Every tool of a session, those of inactive skills too. */
export function toolReports({
  workspace,
  counter,
}: Pick<OpenSession, 'workspace' | 'counter'>): readonly ToolReport[] {
  const { exposed } = workspace.state
  const shown = exposed && new Set(exposed.map(({ name, hash }) => `${name} ${hash}`))
  return workspace.tools().map((listing) => {
    const { name, source, owner, status, asks, tool } = listing
    const available = status === 'available'
    return {
      name,
      source,
      owner,
      status,
      exposed: shown === null ? available : shown.has(`${name} ${tool?.hash}`),
      available,
      asks,
      tokens: tool === undefined ? 0 : definitionTokens(tool, counter, name),
      because: workspace.explain(listingAddress(listing)).because,
    }
  })
}

/** Tools for people, one a line, each with the last of its reasons. */
export function writeToolTable(tools: readonly ToolReport[], context: CliContext): void {
  writeTable(
    ['TOOL', 'FROM', 'STATUS', 'TOKENS', 'REASON'],
    tools.map((tool) => [
      { text: tool.name },
      { text: tool.source === 'global' ? tool.owner : `${tool.source} ${tool.owner}` },
      status(tool),
      { text: String(tool.tokens) },
      { text: reason(tool) },
    ]),
    context,
  )
}

/** Exposure is told where it is not what the status makes one expect. */
function status({ status, available, asks, exposed }: ToolReport): TextCell {
  const remarks = [
    ...(asks ? ['asks first'] : []),
    ...(exposed && !available ? ['still exposed'] : []),
    ...(available && !exposed ? ['from the next step'] : []),
  ]
  const text = [status, ...remarks].join(', ')
  return available ? { text, colour: 'green' } : { text }
}

function reason({ because }: ToolReport): string {
  const last = because.at(-1)
  return last === undefined ? '' : `#${last.seq} ${last.text}`
}
