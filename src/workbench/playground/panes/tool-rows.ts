import type { StepPreview, ToolListing, WorkspaceReader } from '../../../entries/index.ts'
import type { ToolGroup, ToolTableRow } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { counted, reachText, toolReach } from '../../../entries/plan.ts'
import { cachePerState, listedTools, regroup, rowCache } from '../rows/row-cache.ts'
import { rowFilter } from '../rows/row-filter.ts'

/** A tool of the pane. */
export interface ToolPaneRow extends ToolTableRow {
  readonly listing: ToolListing
  /** Its heading, when tools are grouped by source. */
  readonly source: string
  /** The text that a filter searches, in lower case. */
  readonly text: string
}

/** The tools of the pane. */
export interface ToolRows {
  readonly groups: readonly ToolGroup<ToolPaneRow>[]
  /** The rows of the cursor: headings, and the tools under open headings. */
  readonly ids: readonly string[]
  /** The tools that match the filter, also those under folded headings. */
  readonly rows: readonly ToolPaneRow[]
}

/** The property by which tools are grouped. */
export type ToolGrouping = 'source' | 'status'

/**
 * Lists the tools of a session that match a filter, under headings. Unchanged groups stay the same
 * objects: a change usually affects few of thousands of tools.
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
      grouping === 'status'
        ? ({ status }: ToolPaneRow) => status
        : ({ source }: ToolPaneRow) => source
    const last = lastGroups.get(reader)
    const before = last?.grouping === grouping ? last.groups : []
    const groups = regroup(rows, { titleOf, idOf: (title) => HEADING + title, folded }, before)
    lastGroups.set(reader, { grouping, groups })
    let ids: readonly string[] | undefined
    return {
      groups,
      rows,
      // Most frames need no cursor in them.
      get ids() {
        return (ids ??= rowIds(groups))
      },
    }
  },
)

function rowIds(groups: ToolRows['groups']): readonly string[] {
  const ids: string[] = []
  for (const group of groups) {
    ids.push(group.id)
    if (!group.folded) for (const { id } of group.rows) ids.push(id)
  }
  return ids
}

/** All tools, listed once for all filters. */
const allTools = cachePerState((reader) => cachedRows(reader, listedTools(reader), toolRow))

const cachedRows = rowCache<WorkspaceReader, ToolListing, ToolPaneRow>()

const matching = rowFilter<ToolPaneRow>(
  ({ text }) => text,
  ({ id }) => id.toLowerCase(),
)

/** Returns true for the id of a heading; names of tools contain no blank. */
export function isHeading(id: string): boolean {
  return id.startsWith(HEADING)
}

const HEADING = 'group '

const lastGroups = new WeakMap<
  WorkspaceReader,
  { readonly grouping: ToolGrouping; readonly groups: ToolRows['groups'] }
>()

const reachMemo = identityMemo<string>()

/** Counts tools by how the next request brings them to the model; without it, all of them. */
export function reachInWords(rows: ToolRows['rows'], next: StepPreview | null): string {
  if (next === null) return counted(rows.length, 'tool')
  return reachMemo([rows, next], '', () => {
    const reachIn = toolReach(next)
    return reachText(rows.map(({ status, listing }) => ({ status, reach: reachIn(listing) })))
  })
}

function toolRow(listing: ToolListing): ToolPaneRow {
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
