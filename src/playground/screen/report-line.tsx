import { Box } from 'ink'
import type { ReactElement } from 'react'
import { Banner } from '../../render/ink/views/banner.tsx'
import { Line, type Span } from '../../render/ink/parts/line.tsx'
import type { Theme } from '../../render/ink/parts/theme.ts'
import type { DiskChange } from '../context/disk-change.ts'
import { paneState } from '../context/pane-state.ts'
import type { UiState } from '../context/ui-state.ts'
import { focusedPane } from '../context/focus.ts'
import type { Pane } from '../context/pane.ts'

export interface ReportLineProps {
  readonly state: UiState
  readonly panes: readonly Pane[]
  readonly width: number
  readonly height: 1 | 2
  readonly theme: Theme
}

/** What is typed into a filter; else what the last change came to; else what changed on disk. */
export function ReportLine({ state, panes, width, height, theme }: ReportLineProps): ReactElement {
  const { banner, changes, filtering } = state
  if (banner !== null && !filtering) return <Banner {...banner} {...{ width, height, theme }} />
  const [spans, below] = filtering
    ? [filterSpans(state, panes), changeSpans(changes)]
    : [changeSpans(changes), []]
  return (
    <Box flexDirection="column" flexShrink={0} height={height}>
      <Line theme={theme} width={width} spans={spans.length === 0 ? BLANK : spans} />
      {height === 2 && (
        <Line theme={theme} width={width} spans={below.length === 0 ? BLANK : below} />
      )}
    </Box>
  )
}

const BLANK: readonly Span[] = [{ text: ' ' }]

function filterSpans(state: UiState, panes: readonly Pane[]): readonly Span[] {
  const { id, title } = focusedPane(panes, state)
  return [{ text: `FILTER ${title}: `, bold: true }, { text: `${paneState(state, id).filter}_` }]
}

/** The newest change, and how many there are. */
function changeSpans(changes: readonly DiskChange[]): readonly Span[] {
  const newest = changes.at(-1)
  if (newest === undefined) return []
  const more = changes.length > 1 ? ` (and ${changes.length - 1} more)` : ''
  return [
    { text: 'ON DISK ', bold: true, tone: 'warning' },
    { text: `${newest.skill} ${newest.what}: ${newest.text}${more}` },
  ]
}
