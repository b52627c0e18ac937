import { type ReactElement, useMemo } from 'react'
import { describeEvent } from '../../../engine/explain/describe-event.ts'
import type { Entry, WorkspaceEvent } from '../../../engine/model/workspace-event.ts'
import { Line, type Tone } from '../parts/line.tsx'
import { type Column, columnWidths, CURSOR_WIDTH, TableLine } from '../parts/table-line.tsx'
import { DEFAULT_THEME, glyphsOf, otherProcessMark, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'

export interface TimelineProps {
  /** Sorted by number. */
  readonly entries: readonly Entry[]
  /** Number of the entry the cursor is on. */
  readonly selected: number | null
  /** The entry whose moment the screen shows; null for now. */
  readonly moment: number | null
  /** Entries marked for comparison, the first as `A` and the second as `B`. */
  readonly marks: readonly number[]
  /** Numbers of the entries that another process appended; none by default. */
  readonly foreign?: ReadonlySet<number> | undefined
  /** Returns the turn of an entry; without it turns are not shown. */
  turnOf?(entry: Entry): number
  /** Entries to scroll past, as far as the selection allows. */
  readonly scroll?: number | undefined
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

/** Number, marks, time, turn, event, cause. */
function columnsFor(last: number, sign: string, hasTurns: boolean): Column[] {
  return [
    { width: Math.max(3, String(last).length + 2), rank: 0 },
    { width: 3 + sign.length, rank: 0 },
    { width: 9, rank: 2 },
    { width: hasTurns ? 5 : 0, rank: hasTurns ? 1 : 3 },
    { width: 34, grows: 1, rank: 0 },
    { width: 12, rank: 1 },
  ]
}

/** The entries of a session: events and their causes. Only entries in view are described in words. */
export function Timeline({
  entries,
  selected,
  moment,
  marks,
  foreign = NONE,
  turnOf,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
}: TimelineProps): ReactElement {
  const last = entries.at(-1)?.seq ?? 0
  const other = foreign.size === 0 ? UNMARKED : otherProcessMark(theme)
  const widths = useMemo(
    () => columnWidths(columnsFor(last, other.sign, turnOf !== undefined), width - CURSOR_WIDTH),
    [last, other.sign, turnOf === undefined, width],
  )
  if (entries.length === 0) {
    return <Line theme={theme} width={width} spans={[{ text: 'No entries yet.' }]} />
  }
  const shown = moment ?? last
  const { now } = glyphsOf(theme)
  return (
    <WindowedRows
      count={entries.length}
      selected={selected === null ? -1 : entries.findLastIndex(({ seq }) => seq === selected)}
      scroll={scroll}
      width={width}
      height={height}
      theme={theme}
      renderRow={(index) => {
        const entry = entries[index]
        if (entry === undefined) return <></>
        const { seq, at, cause, event } = entry
        const turn = turnOf?.(entry) ?? 0
        const tone = eventTone(event)
        const isLater = seq > shown
        const mark = ['A', 'B'][Math.min(marks.indexOf(seq), 1)] ?? ''
        const ownMarks = (seq === shown ? now : '') + mark
        const { sign, word } = foreign.has(seq) ? other : UNMARKED
        return (
          <TableLine
            cells={[
              { text: `#${seq}`, align: 'right', dim: isLater },
              { text: ownMarks.padEnd(2) + sign, tone: 'accent' },
              { text: clockTime(at), dim: true },
              { text: turn === 0 ? '' : `t${turn}`, dim: true },
              { text: word + withoutIds(describeEvent(event)), tone, dim: isLater },
              { text: cause.by === 'initial' ? 'opening' : cause.by, dim: true },
            ]}
            widths={widths}
            selected={seq === selected}
            width={width}
            theme={theme}
          />
        )
      }}
    />
  )
}

/** Formats a wall clock in milliseconds as the local time of day. */
function clockTime(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

/** Leaves ids out, which take the room of words: the full entry has them. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/ \((?=[\w\-]*\d)[\w\-]{16,}\)/gv, '')
    .replaceAll(/([\da-f]{8})-(?:[\da-f]{4}-){3}[\da-f]{12}/gv, '$1')
}

const NONE: ReadonlySet<number> = new Set()

const UNMARKED = { sign: '', word: '' }

/** Returns the tone of an event. Its words express it too: `REFUSED`, `WARNING`, `FAILED`, `BROKEN`. */
function eventTone(event: WorkspaceEvent): Tone | undefined {
  switch (event.type) {
    case 'command.refused':
      return 'warning'
    case 'activation.failed':
    case 'intent.failed':
    case 'skill.broken':
      return 'bad'
    case 'call.abandoned':
    case 'extraction.drifted':
    case 'warning.given':
      return 'warning'
    case 'tool_discovery_result':
      return event.stopped === null && event.degraded === null ? undefined : 'warning'
    case 'call.ended':
      return event.ok ? undefined : 'warning'
    case 'call.detached':
    case 'call.retried':
    case 'turn.ended':
    case 'child.opened':
    case 'child.ended':
    case 'skill.registered':
    case 'skill.unregistered':
    case 'child.called':
    case 'metrics.reset':
    case 'intent.taken':
    case 'intent.applied':
    case 'session.opened':
    case 'catalog.taken':
    case 'policy.changed':
    case 'source.opened':
    case 'source.synced':
    case 'source.kept':
    case 'source.closed':
    case 'source.accepted':
    case 'tool.switched':
    case 'turn.begun':
    case 'step.begun':
    case 'session.compacted':
    case 'session.forked':
    case 'session.imported':
    case 'component.updated':
    case 'call.started':
    case 'approval.remembered':
    case 'approval.recalled':
    case 'approval.revoked':
    case 'tool.accepted':
    case 'confirmation.asked':
    case 'confirmation.approved':
    case 'confirmation.denied':
    case 'confirmation.expired':
    case 'tool_discovery_start':
    case 'tools_enabled':
    case 'tools_evicted':
    case 'rules.sent':
    case 'memory.summarised':
      return undefined
  }
}
