import type { Entry, WorkspaceEvent } from '../../../entries/index.ts'
import { describeCause, describeEvent } from '../../../entries/kit.ts'
import { counted } from '../../../entries/plan.ts'
import { eventText } from './event-text.ts'
import type { ReportColumn, ReportRows, ReportTone } from '../report.ts'

/** Facts that only the screen of a session has of its entries. */
interface TimelineFacts {
  /** Returns the turn of an entry; 0 before the first. */
  turn(entry: Entry): number
  /** Returns the marks of an entry. */
  marks(entry: Entry): string
  /** Columns for the marks. */
  readonly markWidth: number
  /** Returns a word that is before the event. */
  word(entry: Entry): string
  /** The number of the entry whose moment is shown. */
  readonly shown: number
  /** All entries of the session. */
  readonly all: readonly Entry[]
}

/** Lists the entries of a session, each with its event and its cause. Only entries that are drawn are described. */
export function timelineReport(
  entries: readonly Entry[],
  { turn, marks, markWidth, word, shown, all }: TimelineFacts,
): ReportRows<Entry, Entry, Entry> {
  const last = entries.at(-1)
  const numberWidth = Math.max(3, String(last?.seq ?? 0).length + 2)
  const column = (
    screen: NonNullable<ReportColumn<Entry>['screen']>,
    cell: ReportColumn<Entry>['cell'],
  ): ReportColumn<Entry> => ({ title: '', cell, screen })
  const isLater = ({ seq }: Entry) => seq > shown
  return {
    kind: 'rows',
    of: 'entry',
    columns: [
      {
        ...column({ width: numberWidth }, (one) => ({ text: `#${one.seq}`, dim: isLater(one) })),
        align: 'right',
      },
      column({ width: markWidth }, (one) => ({ text: marks(one), tone: 'accent' })),
      column({ width: 9, rank: 2 }, ({ at }) => ({
        // The local time of day.
        text: new Date(at).toTimeString().slice(0, 8),
        dim: true,
      })),
      column({ width: last !== undefined && turn(last) > 0 ? 5 : 0, rank: 1 }, (one) => ({
        text: turn(one) === 0 ? '' : `t${turn(one)}`,
        dim: true,
      })),
      column({ width: 34, grows: 1 }, (one) => ({
        text: word(one) + entryRowText(all, one),
        tone: eventTone(one.event),
        dim: isLater(one),
      })),
      column({ width: 12, rank: 1 }, ({ cause: { by } }) => ({
        text: by === 'initial' ? 'opening' : by,
        dim: true,
      })),
    ],
    count: entries.length,
    row: (index) => entries[index] as Entry,
    identify: ({ seq }) => `${seq}`,
    markWidth: 0,
    mark: () => ({ glyph: 'inactive' }),
    read: (entry) => entry,
    json: (entry) => entry,
    about: (entry) => [{ kind: 'text', text: entryLine(entry, eventText(all, entry)) }],
    summary: (some = entries) => counted(some.length, 'entry', 'entries'),
  }
}

/** Returns an entry as a line: its number, its cause and its event. */
export function describeEntry(entry: Entry): string {
  return entryLine(entry, describeEvent(entry.event))
}

function entryLine({ seq, cause }: Entry, text: string): string {
  return `#${seq} ${describeCause(cause)}: ${text}`
}

/** Returns entries as lines. Entries that follow each other and say the same are one line, with their count. */
export function describeEntries(
  entries: readonly Entry[],
): readonly { readonly first: Entry; readonly text: string }[] {
  const runs: Entry[][] = []
  let last = ''
  for (const entry of entries) {
    const said = `${describeCause(entry.cause)}: ${eventText(entries, entry)}`
    if (said === last) runs.at(-1)?.push(entry)
    else runs.push([entry])
    last = said
  }
  return runs.flatMap(([first, ...more]) => {
    if (first === undefined) return []
    const end = more.at(-1)
    const count = end === undefined ? '' : ` to #${end.seq}, ${more.length + 1} times`
    return [
      { first, text: entryLine(first, eventText(entries, first)).replace(/^#\d+/, `$&${count}`) },
    ]
  })
}

/** Returns the text of an entry in a row. It leaves ids out, which take the room of words: the full entry has them. */
export function entryRowText(all: readonly Entry[], entry: Entry): string {
  return eventText(all, entry)
    .replaceAll(/ \((?=[\w\-]*\d)[\w\-]{16,}\)/gv, '')
    .replaceAll(/([\da-f]{8})-(?:[\da-f]{4}-){3}[\da-f]{12}/gv, '$1')
}

/** Returns the tone of an event. Its words express it too: `REFUSED`, `WARNING`, `FAILED`, `BROKEN`. */
function eventTone(event: WorkspaceEvent): ReportTone | undefined {
  switch (event.type) {
    case 'command.refused':
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
      return event.ok ? undefined : 'bad'
    case 'step.begun':
      return event.cost?.changed ? 'price' : undefined
    case 'confirmation.asked':
      return 'asking'
    case 'call.detached':
    case 'call.retried':
    case 'turn.ended':
    case 'child.opened':
    case 'child.ended':
    case 'skill.registered':
    case 'skill.unregistered':
    case 'child.called':
    case 'metrics.reset':
    case 'step.answered':
    case 'step.repeated':
    case 'step.reported':
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
    case 'session.compacted':
    case 'session.forked':
    case 'session.imported':
    case 'component.updated':
    case 'call.started':
    case 'approval.remembered':
    case 'approval.recalled':
    case 'approval.revoked':
    case 'tool.accepted':
    case 'confirmation.approved':
    case 'confirmation.denied':
    case 'confirmation.expired':
    case 'tool_discovery_start':
    case 'tools_enabled':
    case 'tools_evicted':
    case 'rules.sent':
    case 'memory.summarised':
    case 'fact.noted':
      return undefined
  }
}
