import type {
  StepPreview,
  TokenCounter,
  ToolListing,
  ToolStatus,
  WorkspaceReader,
} from '../../../entries/index.ts'
import { listingAddress } from '../../../entries/kit.ts'
import { counted, knownToolTokens, reachText, reachWord, toolReach } from '../../../entries/plan.ts'
import type { ReportColumn, ReportMark, ReportRows } from '../report.ts'
import { sourceText, verdictReport } from './verdict-report.ts'

/** The tools of a session. */
export type ToolsReport = ReportRows<ToolListing, ToolValue, ToolValue>

type ToolValue = ReturnType<typeof readTool>

type Reader = Pick<WorkspaceReader, 'tools' | 'explain'>

/**
 * Lists the tools of a session: where each is from, how the next request brings it to the model, its tokens and the reason.
 *
 * @param next the next request; null while it is not known: a status is then that of the tool
 */
export function toolsReport(
  reader: Reader,
  counter: TokenCounter,
  next: StepPreview | null,
): ToolsReport {
  const reachIn = next && toolReach(next)
  const reach = (listing: ToolListing) => reachIn?.(listing) ?? listing.status
  let listed: readonly ToolListing[] | undefined
  const all = () => (listed ??= reader.tools())
  return {
    kind: 'rows',
    of: 'tool',
    columns: COLUMNS,
    get count() {
      return all().length
    },
    row: (index) => all()[index] as ToolListing,
    identify: ({ name }) => name,
    group: sourceText,
    markWidth: 2,
    mark: ({ status }) => MARKS[status],
    read: (listing) => readTool(listing, reach(listing), reader, counter),
    json: (value) => value,
    about: (listing) => verdictReport(reader.explain(listingAddress(listing))),
    summary: (tools = all()) =>
      next === null
        ? counted(tools.length, 'tool')
        : reachText(tools.map((one) => ({ status: one.status, reach: reach(one) }))),
  }
}

/** Reads a tool; its tokens and reasons when they are asked for. */
function readTool(listing: ToolListing, reach: string, reader: Reader, counter: TokenCounter) {
  const { name, source, owner, status, asks, tool } = listing
  return {
    name,
    source,
    owner,
    status,
    /** The way in which the next request brings it to the model. */
    reach,
    exposed: reach === 'sent',
    available: status === 'available',
    asks,
    /** Of its definition in a request; null when the log has only its description. */
    get tokens() {
      return tool === undefined ? 0 : knownToolTokens(tool, counter, name)
    },
    get because() {
      return reader.explain(listingAddress(listing)).because
    },
  }
}

const COLUMNS: readonly ReportColumn<ToolValue>[] = [
  { title: 'TOOL', cell: ({ name }) => name, screen: { width: 16, grows: 1 } },
  { title: 'FROM', cell: sourceText, isGroup: true },
  {
    title: 'STATUS',
    cell({ status, reach, asks, exposed, available }) {
      const remarks = [...(asks ? ['asks first'] : []), ...(exposed && !available ? ['sent'] : [])]
      const text = [reachWord({ status, reach }), ...remarks].join(', ')
      return { text, tone: asks ? 'asking' : MARKS[status].tone }
    },
    screen: {},
    isStatus: true,
  },
  { title: 'TOKENS', align: 'right', cell: ({ tokens }) => tokens, screen: { width: 8, rank: 1 } },
  {
    title: 'REASON',
    cell({ because }) {
      const last = because.at(-1)
      return { text: last === undefined ? '' : `#${last.seq} ${last.text}`, dim: true }
    },
    screen: { width: 24, grows: 3, rank: 3 },
  },
]

const MARKS: Readonly<Record<ToolStatus, ReportMark>> = {
  available: { glyph: 'active', tone: 'good' },
  'not-exposed': { glyph: 'inactive' },
  'skill-inactive': { glyph: 'inactive' },
  disabled: { glyph: 'inactive' },
  denied: { glyph: 'unusable', tone: 'bad' },
  'blocked-by-mode': { glyph: 'unusable', tone: 'bad' },
  'budget-spent': { glyph: 'unusable', tone: 'bad' },
  shadowed: { glyph: 'unusable' },
  changed: { glyph: 'unusable', tone: 'bad' },
  unbound: { glyph: 'unusable', tone: 'bad' },
  'left-out': { glyph: 'unusable', tone: 'bad' },
  gone: { glyph: 'unusable', tone: 'bad' },
  unknown: { glyph: 'unusable', tone: 'bad' },
}
