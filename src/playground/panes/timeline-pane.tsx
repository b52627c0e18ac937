import type { ReactElement } from 'react'
import type { Entry } from '../../engine/model/event.ts'
import { describeCause } from '../../engine/explain/describe-cause.ts'
import { describeEvent } from '../../engine/explain/describe-event.ts'
import { formatCount } from '../../render/ink/parts/format-count.ts'
import { Timeline } from '../../render/ink/views/timeline.tsx'
import { identityMemo } from '../../render/prompt/document/identity-memo.ts'
import { paneState, type PaneState } from '../context/pane-state.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { UiState } from '../context/ui-state.ts'
import { useShown } from '../context/use-shown.ts'
import type { Pane, PaneProps } from '../context/pane.ts'
import { jsonLines } from '../text/json-lines.ts'
import { markEntry } from './mark-entry.ts'
import { entryOf, entryRow, TIMELINE } from '../session/timeline-row.ts'
import { matchingEntries } from './matching-entries.ts'

/** Every entry with its cause. The moment of the one with the cursor is what the screen shows. */
export const timelinePane: Pane = {
  id: TIMELINE,
  title: 'Timeline',
  actions: [
    {
      id: 'timeline.mark',
      title: 'Mark; the second mark shows the difference',
      keys: ['d'],
      run: mark,
    },
    { id: 'timeline.details', title: 'The entry in full', keys: ['enter'], run: showEntry },
  ],
  rows: (context) => rowsOf(shownEntries(context)),
  status(context) {
    const { moment } = context.ui.getState()
    const { filter } = selectTimelinePane(context.ui.getState())
    const shown = moment === null ? 'now' : `at #${moment}`
    if (filter === '') return shown
    return `${formatCount(shownEntries(context).length)} with "${filter}", ${shown}`
  },
  View: TimelinePane,
}

/** What is kept of the pane. */
export function selectTimelinePane(state: UiState): PaneState {
  return paneState(state, TIMELINE)
}

/** The entries marked for a difference. */
export function selectMarks({ marks }: UiState): readonly number[] {
  return marks
}

/** The entry whose moment is shown; null for now. */
export function selectMoment({ moment }: UiState): number | null {
  return moment
}

function TimelinePane({ context, width, height, theme }: PaneProps): ReactElement {
  const { selected, filter } = useShown(context, selectTimelinePane)
  const marks = useShown(context, selectMarks)
  const moment = useShown(context, selectMoment)
  const entries = useShown(context, () => context.entries())
  const foreign = useShown(context, () => context.foreign())
  return (
    <Timeline
      entries={matchingEntries(entries, filter, foreign)}
      foreign={foreign}
      selected={entryOf(selected)}
      moment={moment}
      marks={marks}
      width={width}
      height={height}
      theme={theme}
    />
  )
}

const FROM_ELSEWHERE = 'Appended by another process, since this screen was opened.'

function shownEntries(context: PlaygroundContext): readonly Entry[] {
  const { filter } = selectTimelinePane(context.ui.getState())
  return matchingEntries(context.entries(), filter, context.foreign())
}

const kept = identityMemo<readonly string[]>()

function rowsOf(entries: readonly Entry[]): readonly string[] {
  return kept([entries], '', () => entries.map(({ seq }) => entryRow(seq)))
}

function entryAtCursor(context: PlaygroundContext): Entry | undefined {
  const seq = entryOf(selectTimelinePane(context.ui.getState()).selected)
  return seq === null ? undefined : context.entries()[seq]
}

function mark(context: PlaygroundContext): Promise<void> | void {
  const entry = entryAtCursor(context)
  if (entry !== undefined) return markEntry(context, entry.seq)
}

function showEntry(context: PlaygroundContext): void {
  const entry = entryAtCursor(context)
  if (entry === undefined) return
  const title = `#${entry.seq} ${entry.event.type}`
  const words = `${describeCause(entry.cause)}: ${describeEvent(entry.event)}`
  const origin = context.foreign().has(entry.seq) ? [FROM_ELSEWHERE] : []
  const lines = [words, ...origin, '', ...jsonLines(entry)]
  context.ui.setState({ dialog: { kind: 'details', title, lines, scroll: 0 } })
}
