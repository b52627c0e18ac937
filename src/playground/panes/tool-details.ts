import type { ToolListing } from '../../engine/standing/list-tools.ts'
import { listingAddress } from '../../engine/standing/listing-address.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { formatCount } from '../../render/ink/parts/format-count.ts'
import { definitionTokens } from '../../render/prompt/ledger/token-prices.ts'
import type { WorkspaceReader } from '../../workspace/workspace-reader.ts'
import { jsonLines } from '../text/json-lines.ts'
import { textLines } from '../text/text-lines.ts'
import { reasonLines } from '../text/reason-lines.ts'

/** Everything about a tool, for reading: why it can, or cannot, be called first. */
export function toolDetails(
  listing: ToolListing,
  reader: WorkspaceReader,
  counter: TokenCounter,
): readonly string[] {
  const { name, source, owner, status, asks, tool } = listing
  const explanation = reader.explain(listingAddress(listing))
  const command = commandFor(listing, explanation.changes !== undefined)
  const head = [
    `Status: ${status}${asks ? ', asks first' : ''}`,
    `From: ${source === 'global' ? owner : `${source} ${owner}`}`,
    ...reasonLines(explanation),
    ...(command === '' ? [] : textLines(`Here: ${command}`)),
  ]
  if (tool === undefined) return head
  const { description, documentation, inputSchema, outputSchema } = tool
  return [
    ...head,
    '',
    ...textLines(description),
    `Version ${tool.version}, ${tool.category}, ${tool.risk}, ${formatCount(definitionTokens(tool, counter, name))} tokens`,
    '',
    'Input schema',
    ...jsonLines(inputSchema),
    ...(outputSchema === undefined ? [] : ['', 'Output schema', ...jsonLines(outputSchema)]),
    ...(documentation === undefined ? [] : ['', 'Documentation', ...textLines(documentation)]),
  ]
}

/**
 * What to press here to change a tool's standing; empty where nothing here does.
 *
 * @param drifted of a changed tool, that its own definition is not the one that was agreed to
 */
export function commandFor(
  { source, owner, status }: Pick<ToolListing, 'source' | 'owner' | 'status'>,
  drifted: boolean,
): string {
  switch (status) {
    case 'skill-inactive':
      return source === 'skill' ? `e equips "${owner}".` : ''
    case 'disabled':
      return 'x switches it on.'
    case 'available':
      return 'c calls it; x switches it off.'
    case 'changed':
      return drifted || source !== 'skill'
        ? 'a accepts its definition as it is now.'
        : `a on "${owner}" in the Skills pane accepts the change.`
    case 'shadowed':
    case 'not-exposed':
    case 'denied':
    case 'blocked-by-mode':
    case 'budget-spent':
    case 'unbound':
    case 'unknown':
      return ''
  }
}
