import type { ReactElement } from 'react'
import type { WorkspaceState } from '../../../entries/index.ts'
import { formatCount } from '../../../entries/plan.ts'
import { cursorSpan, Line, WindowedList } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { paneState, type PaneState, type UiState } from '../context/ui-state.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { matchesFilter } from '../rows/row-filter.ts'
import { textLines } from '../text/text-lines.ts'

const ID = 'memory'

/** The memory of the session: entities, found and used tools, the summary. */
export const memoryPane: ScreenPane = {
  id: ID,
  title: 'Memory',
  key: '0',
  place: 'tab',
  actions: [],
  rows: (context) => shownRows(context).map(({ id }) => id),
  needs: (context) => shownRows(context).length,
  status(context) {
    const { entities } = context.reader().state.memory
    const { filter } = selectMemoryPane(context.ui.getState())
    const count = `${formatCount(entities.length)} ${entities.length === 1 ? 'entity' : 'entities'}`
    return filter === '' ? count : `/${filter}`
  },
  View: MemoryPane,
}

function shownRows(context: PlaygroundContext): readonly MemoryRow[] {
  return memoryRows(context.reader().state, selectMemoryPane(context.ui.getState()).filter)
}

function selectMemoryPane(state: UiState): PaneState {
  return paneState(state, ID)
}

function MemoryPane({ context, focused, width, height, theme }: ScreenPaneProps): ReactElement {
  const { selected, filter } = useShown(context, selectMemoryPane)
  const rows = memoryRows(useReader(context).state, filter)
  if (rows.length === 0) {
    const text = filter === '' ? 'No memory yet.' : `Nothing matches "${filter}".`
    return <Line theme={theme} width={width} spans={[{ text }]} />
  }
  const ids = rows.map(({ id }) => id)
  return (
    <WindowedList
      rows={rows}
      selected={focused || selected !== null ? selectedRow(ids, selected) : null}
      width={width}
      height={height}
      theme={theme}
      renderRow={({ text, isHeading }, isSelected) => (
        <Line
          theme={theme}
          width={width}
          spans={[
            cursorSpan(isSelected && focused, theme),
            { text: isHeading ? text : `  ${text}`, bold: isHeading || (isSelected && focused) },
          ]}
        />
      )}
    />
  )
}

/** A line of the memory pane: a heading, or one item. */
interface MemoryRow {
  readonly id: string
  readonly text: string
  readonly isHeading: boolean
}

const memoryCache = identityMemo<readonly MemoryRow[]>()

/**
 * The memory of a session with the numbers of its entries: entities, the newest first, found tools,
 * used tools, tools whose results no longer contain entities, and the summary. A filter keeps the
 * items that contain its words.
 */
function memoryRows(state: WorkspaceState, filter: string): readonly MemoryRow[] {
  const { memory, found, used, extractions } = state
  return memoryCache([memory, found, used, extractions], filter, () => [
    ...section('Entities', memory.entities.toReversed(), filter, ({ type, id, name, seq }) => [
      `${type}:${id}`,
      `${type} ${id}: ${name} (#${seq})`,
    ]),
    ...section('Found tools', found, filter, ({ name, owner, called, turn, since }) => [
      name,
      `${name} of ${owner}, found in turn ${turn}${called ? ', called' : ''} (#${since})`,
    ]),
    ...section('Used tools', used, filter, ({ tool, count, lastResult, lastSeq }) => [
      tool,
      `${tool}, ${count === 1 ? 'once' : `${count} times`}, last: ${lastResult ?? 'running'} (#${lastSeq})`,
    ]),
    ...section(
      'Results without entities',
      extractions.filter(({ drifting }) => drifting),
      filter,
      ({ tool, missed, last, lastSeq }) => [tool, `${tool}, last ${missed}: ${last} (#${lastSeq})`],
    ),
    ...section(
      'Summary',
      memory.summary === null ? [] : textLines(memory.summary),
      filter,
      (line, index) => [`${index}`, line],
    ),
  ])
}

/** A heading with its items; nothing without items. */
function section<Thing>(
  title: string,
  things: readonly Thing[],
  filter: string,
  rowOf: (thing: Thing, index: number) => readonly [id: string, text: string],
): readonly MemoryRow[] {
  const rows = things
    .map((thing, index): MemoryRow => {
      const [id, text] = rowOf(thing, index)
      return { id: `${title} ${id}`, text, isHeading: false }
    })
    .filter(({ text }) => matchesFilter(filter, [text]))
  if (rows.length === 0) return []
  return [{ id: title, text: `${title} (${rows.length})`, isHeading: true }, ...rows]
}
