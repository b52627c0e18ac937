import type { ReactElement } from 'react'
import type { Entry, WorkspaceEvent } from '../../../entries/index.ts'
import { formatCount } from '../../../entries/plan.ts'
import { glyphsOf, otherProcessMark, type TableGroup } from '../../../entries/ink-views.ts'
import { entryRowText, timelineReport } from '../../report/facts/timeline-report.ts'
import { ReportTable } from '../../report/writers/report-table.tsx'
import { describeCause, describeEvent, identityMemo } from '../../../entries/kit.ts'
import { captureMoment, differenceSince } from '../../report/facts/compare-moments.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import {
  type Description,
  type ScreenPane,
  type ScreenPaneProps,
  showTab,
} from '../context/screen-pane.ts'
import {
  changePane,
  paneState,
  type PaneState,
  toggleFold,
  type UiState,
} from '../context/ui-state.ts'
import { openWhy } from './open-why.ts'
import { DIFF } from './diff-pane.tsx'
import { useShown } from '../context/use-shown.ts'
import { matchesFilter } from '../rows/row-filter.ts'
import { entryTexts } from '../session/shown-conversation.ts'
import { costLines, lossActions, cacheLoss } from './loss-actions.ts'
import { readEntryId, entryRow, TIMELINE } from '../session/follow-timeline.ts'
import { jsonLines } from '../text/text-lines.ts'

/** Every entry with its cause. The screen shows the moment of the entry under the cursor. */
export const timelinePane: ScreenPane = {
  id: TIMELINE,
  title: 'Timeline',
  key: '4',
  place: 'lane',
  actions: [
    {
      id: 'timeline.mark',
      title: 'Mark; a second mark shows the difference',
      verb: 'mark',
      keys: ['d'],
      run(context) {
        const entry = entryAtCursor(context)
        return entry === undefined ? undefined : markEntry(context, entry.seq)
      },
    },
    {
      id: 'timeline.details',
      title: 'Open the full entry',
      verb: 'open',
      keys: ['enter'],
      run: openWhy,
    },
    {
      id: 'timeline.fold',
      title: 'Unfold or fold entries that repeat',
      verb: 'unfold',
      keys: ['z'],
      when: (context) => runAtCursor(context) !== undefined,
      run(context) {
        const run = runAtCursor(context)
        if (run === undefined) return
        context.ui.setState((state) =>
          changePane(toggleFold(state, TIMELINE, entryRow(run.first)), TIMELINE, {
            selected: entryRow(run.last),
          }),
        )
      },
    },
    ...lossActions(TIMELINE, entryAtCursor),
  ],
  rows(context) {
    const { rows } = shownRows(context)
    return rowIdCache([rows], '', () => rows.map(({ seq }) => entryRow(seq)))
  },
  status(context) {
    const { moment } = context.ui.getState()
    const { filter } = selectTimelinePane(context.ui.getState())
    const shown = moment === null ? 'now' : `at #${moment}`
    if (filter === '') return shown
    return `${formatCount(shownEntries(context).length)} with "${filter}", ${shown}`
  },
  about(context) {
    const entry = entryAtCursor(context)
    return entry === undefined ? null : aboutEntry(entry, context)
  },
  View: TimelinePane,
}

/** Selects the state of the pane. */
export function selectTimelinePane(state: UiState): PaneState {
  return paneState(state, TIMELINE)
}

/** Selects the entries marked for comparison. */
export function selectMarks({ marks }: UiState): readonly number[] {
  return marks
}

/** Selects the entry whose moment is shown; null for now. */
export function selectMoment({ moment }: UiState): number | null {
  return moment
}

function TimelinePane({ context, width, height, theme }: ScreenPaneProps): ReactElement {
  const { selected } = useShown(context, selectTimelinePane)
  const marks = useShown(context, selectMarks)
  const moment = useShown(context, selectMoment)
  const entries = useShown(context, () => context.entries())
  const foreign = useShown(context, () => context.foreign())
  const { rows, folded } = shownRows(context)
  const shown = moment ?? rows.at(-1)?.seq ?? 0
  const other = otherProcessMark(theme)
  const signWidth = foreign.size === 0 ? 0 : other.sign.length
  const report = timelineReport(rows, {
    turn: ({ seq }) => entryTurns(entries)[seq] ?? 0,
    marks({ seq }) {
      const own =
        (seq === shown ? glyphsOf(theme).now : '') + (['A', 'B'][marks.indexOf(seq)] ?? '')
      return own.padEnd(2) + (foreign.has(seq) ? other.sign : '')
    },
    markWidth: 3 + signWidth,
    word: ({ seq }) => (foreign.has(seq) ? other.word : '') + repeatedText(folded.get(seq)),
    shown,
    all: entries,
  })
  const groups = groupCache([rows], '', () => [{ id: '', title: null, folded: false, rows }])
  const empty = 'No entries yet.'
  return <ReportTable {...{ report, groups, selected, width, height, theme, empty }} />
}

const groupCache = identityMemo<readonly TableGroup<Entry>[]>()

function shownEntries(context: PlaygroundContext): readonly Entry[] {
  const { filter } = selectTimelinePane(context.ui.getState())
  return matchingEntries(context.entries(), filter, context.foreign())
}

/** Entries that follow each other and say the same. */
interface EntryRun {
  readonly first: number
  readonly last: number
  readonly count: number
}

/** The rows of the timeline, and the runs that are one row: that of their last entry. */
interface TimelineRows {
  readonly rows: readonly Entry[]
  readonly runs: readonly EntryRun[]
  readonly folded: ReadonlyMap<number, EntryRun>
}

function repeatedText(run: EntryRun | undefined): string {
  return run === undefined ? '' : `${formatCount(run.count)} times: `
}

/** Folds runs of entries, except those that were unfolded, and the one whose entry is selected. */
function shownRows(context: PlaygroundContext): TimelineRows {
  const { toggled, selected } = selectTimelinePane(context.ui.getState())
  const entries = shownEntries(context)
  const runs = runCache([entries], '', () => entryRuns(entries, context.entries()))
  const at = readEntryId(selected)
  const open = runs.filter(
    ({ first, last }) =>
      toggled.includes(entryRow(first)) || (at !== null && at >= first && at < last),
  )
  return foldedCache([runs], open.map(({ last }) => last).join(), () => {
    const folded = new Map(
      runs.flatMap((run) => (open.includes(run) ? [] : [[run.last, run] as const])),
    )
    const all = [...folded.values()]
    let next = 0
    const rows = entries.filter(({ seq }) => {
      while (seq > (all[next]?.last ?? Infinity)) next += 1
      const { first, last } = all[next] ?? { first: Infinity, last: Infinity }
      return seq < first || seq === last
    })
    return { rows, runs, folded }
  })
}

const runCache = identityMemo<readonly EntryRun[]>()

const foldedCache = identityMemo<TimelineRows>()

/** Fewer equal entries than this are a row each. */
const FEWEST_REPEATED = 3

/** The latest entries are compared, and no others: a long log has too many to describe them all. */
const MOST_COMPARED = 2_000

function entryRuns(entries: readonly Entry[], all: readonly Entry[]): readonly EntryRun[] {
  const runs: EntryRun[] = []
  const first = Math.max(0, entries.length - MOST_COMPARED)
  for (let from = first, to = first + 1; from < entries.length; from = to, to += 1) {
    const start = entries[from] as Entry
    while (to < entries.length && saysTheSame(start, entries[to] as Entry, all)) to += 1
    const last = entries[to - 1] as Entry
    if (to - from >= FEWEST_REPEATED)
      runs.push({ first: start.seq, last: last.seq, count: to - from })
  }
  return runs
}

function saysTheSame(one: Entry, other: Entry, all: readonly Entry[]): boolean {
  return (
    one.event.type === other.event.type &&
    one.cause.by === other.cause.by &&
    entryRowText(all, one) === entryRowText(all, other)
  )
}

/** Returns the run of the row under the cursor, folded or not. */
function runAtCursor(context: PlaygroundContext): EntryRun | undefined {
  const at = readEntryId(selectTimelinePane(context.ui.getState()).selected)
  if (at === null) return undefined
  return shownRows(context).runs.find(({ first, last }) => at >= first && at <= last)
}

const matchCache = identityMemo<readonly Entry[]>()

/**
 * Returns the entries whose number, cause or event, in words, contain the words of a filter.
 *
 * @param foreign numbers of the entries that also match `another process`
 */
function matchingEntries(
  entries: readonly Entry[],
  filter: string,
  foreign: ReadonlySet<number>,
): readonly Entry[] {
  if (filter === '') return entries
  return matchCache([entries, foreign], filter, () =>
    entries.filter(({ seq, cause, event }) =>
      matchesFilter(filter, [
        `#${seq}`,
        describeCause(cause),
        describeEvent(event),
        searchWords(event),
        foreign.has(seq) ? 'another process' : '',
      ]),
    ),
  )
}

/** Returns words that people search for: the type, and what a step lost. */
function searchWords(event: WorkspaceEvent): string {
  return `${event.type}${cacheLoss(event) !== null ? ' lost cache loss' : event.type === 'step.begun' ? ' cache' : ''}`
}

const turnCache = identityMemo<readonly number[]>()

/** Returns the turn of each entry; 0 before the first. */
function entryTurns(entries: readonly Entry[]): readonly number[] {
  return turnCache([entries], '', () => {
    let turn = 0
    return entries.map(({ event }) => (turn = event.type === 'turn.begun' ? event.turn : turn))
  })
}

const rowIdCache = identityMemo<readonly string[]>()

function entryAtCursor(context: PlaygroundContext): Entry | undefined {
  const seq = readEntryId(selectTimelinePane(context.ui.getState()).selected)
  return seq === null ? undefined : context.entries()[seq]
}

const FROM_ELSEWHERE = 'Appended by another process after this screen was opened.'

const aboutCache = identityMemo<Description>()

function aboutEntry(entry: Entry, context: PlaygroundContext): Description {
  const foreign = context.foreign()
  const costs = costLines(context, entry)
  const { seq, cause, event } = entry
  const version = context.texts.version()
  return aboutCache([entry, foreign, context.entries()], `${version} ${costs.join('\n')}`, () => {
    const words = `${describeCause(cause)}: ${describeEvent(event)}`
    const origin = foreign.has(seq) ? [FROM_ELSEWHERE] : []
    const texts = entryTexts(entry, context)
    const kept = texts.flatMap(({ heading, lines }) => [
      heading,
      ...lines.map((line) => `  ${line}`),
      '',
    ])
    const values = texts.map(({ value }) => value).filter((value) => value !== null)
    return {
      title: `#${seq} ${event.type}`,
      asks: `#${seq}`,
      lines: [words, ...origin, ...costs, '', ...kept, ...jsonLines(entry)],
      ...(values.length > 0 && { sent: () => values.flatMap(jsonLines) }),
    }
  })
}

/** Returns the marks after one more: a marked entry is unmarked, a third mark replaces both. */
export function nextMarks(marks: readonly number[], seq: number): readonly number[] {
  if (marks.length >= 2) return [seq]
  return marks.includes(seq) ? marks.filter((one) => one !== seq) : [...marks, seq]
}

/** Marks an entry. The second mark opens the difference from the earlier to the later moment. */
async function markEntry(context: PlaygroundContext, seq: number): Promise<void> {
  const { ui, counter } = context
  const marks = nextMarks(ui.getState().marks, seq)
  ui.setState({ marks })
  if (marks.length < 2) return
  const [first, second] = [Math.min(...marks), Math.max(...marks)]
  const [before, after] = await Promise.all([context.look(first), context.look(second)])
  const difference = await differenceSince(await captureMoment(before), after, counter)
  // Esc or another mark changed them meanwhile.
  if (ui.getState().marks !== marks) return
  const title = `From #${first} to #${second}`
  ui.setState((state) => ({ ...showTab(state, DIFF), difference: { title, ...difference } }))
}
