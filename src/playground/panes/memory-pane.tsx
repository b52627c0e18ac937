import type { ReactElement } from 'react'
import { formatCount } from '../../render/ink/parts/format-count.ts'
import { Line } from '../../render/ink/parts/line.tsx'
import { cursorSpan } from '../../render/ink/parts/table-line.tsx'
import { WindowedList } from '../../render/ink/parts/windowed-list.tsx'
import { paneState, type PaneState } from '../context/pane-state.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { UiState } from '../context/ui-state.ts'
import { useReader } from '../context/use-reader.ts'
import { useShown } from '../context/use-shown.ts'
import type { Pane, PaneProps } from '../context/pane.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { memoryRows, type MemoryRow } from './memory-rows.ts'

const ID = 'memory'

/** What the session remembers: entities, found and used tools, the summary. */
export const memoryPane: Pane = {
  id: ID,
  title: 'Memory',
  actions: [],
  rows: (context) => rowsOf(context).map(({ id }) => id),
  status(context) {
    const { entities } = context.reader().state.memory
    const { filter } = selectMemoryPane(context.ui.getState())
    const count = `${formatCount(entities.length)} ${entities.length === 1 ? 'entity' : 'entities'}`
    return filter === '' ? count : `/${filter}`
  },
  View: MemoryPane,
}

function selectMemoryPane(state: UiState): PaneState {
  return paneState(state, ID)
}

function rowsOf(context: PlaygroundContext): readonly MemoryRow[] {
  return memoryRows(context.reader().state, selectMemoryPane(context.ui.getState()).filter)
}

function MemoryPane({ context, focused, width, height, theme }: PaneProps): ReactElement {
  const { selected, filter } = useShown(context, selectMemoryPane)
  const rows = memoryRows(useReader(context).state, filter)
  if (rows.length === 0) {
    const text = filter === '' ? 'Nothing is remembered yet.' : 'Nothing of it is remembered.'
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
