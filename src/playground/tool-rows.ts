import type { ToolListing } from '../engine/list-tools.ts'
import type { ToolGroup } from '../render/ink/tool-table.tsx'
import type { WorkspaceReader } from '../workspace/workspace-reader.ts'
import { keptPerState } from './kept-per-state.ts'
import { matchesFilter } from './matches-filter.ts'

/** The tools of the pane, in the ways it needs them. */
export interface ToolRows {
  readonly groups: readonly ToolGroup[]
  /** What the cursor moves over: headings, and the tools under those that are open. */
  readonly ids: readonly string[]
  readonly byId: ReadonlyMap<string, ToolListing>
  readonly available: number
}

/** By which the tools are grouped. */
export type Grouping = 'source' | 'status'

/** Listed once for all the filters that are typed. */
const allTools = keptPerState((reader) => reader.tools())

/** The tools of a session that a filter leaves, under headings. */
export const toolRows = keptPerState(
  (
    reader: WorkspaceReader,
    filter: string,
    grouping: Grouping,
    folded: readonly string[],
  ): ToolRows => {
    const listed = allTools(reader).filter(({ name, owner, status, tool }) =>
      matchesFilter(filter, [name, owner, status, tool?.summary ?? '']),
    )
    const groups = [...Map.groupBy(listed, (tool) => headingOf(tool, grouping))].map(
      ([title, tools]): ToolGroup => ({
        id: groupId(title),
        title,
        folded: folded.includes(groupId(title)),
        rows: tools.map(({ name, status, asks }) => ({ id: name, status, asks, tokens: null })),
      }),
    )
    return {
      groups,
      ids: groups.flatMap(({ id, folded, rows }) =>
        folded ? [id] : [id, ...rows.map((row) => row.id)],
      ),
      byId: new Map(listed.map((one) => [one.name, one])),
      available: listed.filter(({ status }) => status === 'available').length,
    }
  },
)

/** Whether a row is a heading; a tool's name holds no blank. */
export function isHeading(id: string): boolean {
  return id.startsWith(HEADING)
}

const HEADING = 'group '

function groupId(title: string): string {
  return HEADING + title
}

function headingOf({ source, owner, status }: ToolListing, grouping: Grouping): string {
  if (grouping === 'status') return status
  return source === 'global' ? owner : `${source} ${owner}`
}
