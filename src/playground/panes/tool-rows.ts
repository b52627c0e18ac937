import type { ToolListing } from '../../engine/standing/list-tools.ts'
import { cachePerState, regroup, rowCache } from '../rows/row-cache.ts'
import { rowFilter } from '../rows/row-filter.ts'
import type { ToolGroup, ToolTableRow } from '../../render/ink/views/tool-table.tsx'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/** A tool of the pane. */
export interface ToolRow extends ToolTableRow {
  readonly listing: ToolListing
  /** Its heading, when tools are grouped by source. */
  readonly source: string
  /** What a filter looks through, in small letters. */
  readonly text: string
}

/** The tools of the pane, in the ways it needs them. */
export interface ToolRows {
  readonly groups: readonly ToolGroup<ToolRow>[]
  /** What the cursor moves over: headings, and the tools under those that are open. */
  readonly ids: readonly string[]
  /** What the filter leaves, under folded headings, too. */
  readonly rows: readonly ToolRow[]
  readonly available: number
}

/** By which the tools are grouped. */
export type ToolGrouping = 'source' | 'status'

/** Listed once for all the filters that are typed. */
const allTools = cachePerState((reader) => keepRows(reader, reader.tools(), rowOf))

const keepRows = rowCache<WorkspaceReader, ToolListing, ToolRow>()

const matching = rowFilter<ToolRow>(({ text }) => text)

/**
 * The tools of a session that a filter leaves, under headings. What a change leaves alone stays the
 * same object: of thousands of tools it touches a few.
 */
export const toolRows = cachePerState(
  (
    reader: WorkspaceReader,
    filter: string,
    grouping: ToolGrouping,
    folded: readonly string[],
  ): ToolRows => {
    const rows = matching(allTools(reader), filter)
    const titleOf =
      grouping === 'status' ? ({ status }: ToolRow) => status : ({ source }: ToolRow) => source
    const idOf = (title: string) => HEADING + title
    const groups = regroup(rows, { titleOf, idOf, folded }, lastGroups.get(reader) ?? [])
    lastGroups.set(reader, groups)
    const ids: string[] = []
    for (const group of groups) {
      ids.push(group.id)
      if (!group.folded) for (const { id } of group.rows) ids.push(id)
    }
    let available = 0
    for (const { status } of rows) if (status === 'available') available += 1
    return { groups, ids, rows, available }
  },
)

/** Whether a row is a heading; a tool's name holds no blank. */
export function isHeading(id: string): boolean {
  return id.startsWith(HEADING)
}

const HEADING = 'group '

const lastGroups = new WeakMap<WorkspaceReader, ToolRows['groups']>()

function rowOf(listing: ToolListing): ToolRow {
  const { name, source, owner, status, asks, tool } = listing
  return {
    id: name,
    status,
    asks,
    tokens: null,
    listing,
    source: source === 'global' ? owner : `${source} ${owner}`,
    text: [name, owner, status, tool?.summary ?? ''].join('\n').toLowerCase(),
  }
}
