import type { TokenCounter, Tool, ToolListing } from '../../../entries/index.ts'
import { listingAddress } from '../../../entries/kit.ts'
import { definitionTokens, formatCount } from '../../../entries/plan.ts'
import { verdictReport } from '../../report/facts/verdict-report.ts'
import { reportLines } from '../../report/writers/print-report.ts'
import { commandFor } from '../changes/command-for.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { NamedHistory } from '../context/shown-history.ts'
import { jsonLines, textLines } from '../text/text-lines.ts'

/**
 * The details of a tool, starting with its status and the reason.
 *
 * @param history the requests so far, and its outcome in another agent
 * @param canChange true where keys change the session: the one that changes the status is named
 */
export function toolDetails(
  listing: ToolListing,
  { observed, lines }: NamedHistory,
  { reader, counter }: Pick<PlaygroundContext, 'reader' | 'counter'>,
  canChange: boolean,
): readonly string[] {
  const { name, tool } = listing
  const verdict = reader().explain(listingAddress(listing))
  const command = canChange ? commandFor(listing, verdict.changes !== undefined) : ''
  const head = [
    ...reportLines(verdictReport({ ...verdict, observed })),
    ...lines,
    ...(command === '' ? [] : textLines(`Keys: ${command}`)),
  ]
  return tool === undefined ? head : [...head, '', ...definitionLines(tool, counter, name)]
}

/**
 * The definition of a tool: description, version, tokens, schemas and documentation.
 *
 * @param name its name in the session
 */
export function definitionLines(
  tool: Tool,
  counter: TokenCounter,
  name: string,
): readonly string[] {
  const { description, documentation, inputSchema, outputSchema } = tool
  return [
    ...textLines(description),
    `Version ${tool.version}, ${tool.category}, ${tool.risk}, ${formatCount(definitionTokens(tool, counter, name))} tokens`,
    '',
    'Input schema',
    ...jsonLines(inputSchema),
    ...(outputSchema === undefined ? [] : ['', 'Output schema', ...jsonLines(outputSchema)]),
    ...(documentation === undefined ? [] : ['', 'Documentation', ...textLines(documentation)]),
  ]
}
