import type { StepPreview, ToolListing, WorkspaceReader } from '../../../entries/index.ts'
import type { TableGroup } from '../../../entries/ink-views.ts'
import { reachWord, toolReach } from '../../../entries/plan.ts'
import { sourceText } from '../../report/facts/verdict-report.ts'
import { cachePerState, listedTools, regroup } from '../../report/facts/cache-per-state.ts'
import { rowFilter } from '../rows/row-filter.ts'

/** The tools of the pane. */
export interface ToolRows {
  readonly groups: readonly (TableGroup<ToolListing> & { readonly title: string })[]
  /** The rows of the cursor: headings, and the tools under open headings. */
  readonly ids: readonly string[]
  /** The tools that match the filter, also those under folded headings. */
  readonly rows: readonly ToolListing[]
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
    next: StepPreview | null,
  ): ToolRows => {
    const rows = matching(listedTools(reader), filter)
    const reachIn = next && toolReach(next)
    const status = (one: ToolListing) =>
      reachWord({ status: one.status, reach: reachIn?.(one) ?? one.status })
    const titleOf = grouping === 'status' ? status : sourceText
    // A tool can reach the model in another way while it stays the same object.
    const by = grouping === 'status' ? next : grouping
    const last = lastGroups.get(reader)
    const before = last?.by === by ? last.groups : []
    const groups = regroup(rows, { titleOf, idOf: (title) => HEADING + title, folded }, before)
    lastGroups.set(reader, { by, groups })
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
    if (!group.folded) for (const { name } of group.rows) ids.push(name)
  }
  return ids
}

const matching = rowFilter<ToolListing>(({ name, owner, status, tool }) => [
  name,
  owner,
  status,
  tool?.summary ?? '',
])

/** Returns true for the id of a heading; names of tools contain no blank. */
export function isHeading(id: string): boolean {
  return id.startsWith(HEADING)
}

const HEADING = 'group '

const lastGroups = new WeakMap<
  WorkspaceReader,
  { readonly by: StepPreview | ToolGrouping | null; readonly groups: ToolRows['groups'] }
>()
