import type { CliContext } from '../shell/cli-context.ts'
import { writeTable, type Cell } from '../shell/write-table.ts'
import type { ToolReport } from './tool-report.ts'

/** Tools for people, one a line, each with the last of its reasons. */
export function writeToolTable(tools: readonly ToolReport[], context: CliContext): void {
  writeTable(
    ['TOOL', 'FROM', 'STATUS', 'TOKENS', 'BECAUSE'],
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
function status({ status, available, asks, exposed }: ToolReport): Cell {
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
