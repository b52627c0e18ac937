import type { WorkspaceState } from '../../engine/model/state.ts'
import { identityMemo } from '../../render/prompt/document/identity-memo.ts'
import { matchesFilter } from '../rows/matches-filter.ts'
import { textLines } from '../text/text-lines.ts'

/** A line of the memory pane: a heading, or one thing that is remembered. */
export interface MemoryRow {
  readonly id: string
  readonly text: string
  readonly isHeading: boolean
}

const kept = identityMemo<readonly MemoryRow[]>()

/**
 * What a session remembers, with the entries that say so: entities, the newest first, tools that
 * were found and tools that were used, results that no longer give entities, and the summary. With
 * a filter, what holds its words.
 */
export function memoryRows(state: WorkspaceState, filter: string): readonly MemoryRow[] {
  const { memory, found, used, extractions } = state
  return kept([memory, found, used, extractions], filter, () => [
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
      `${tool}, ${count === 1 ? 'once' : `${count} times`}, last: ${lastResult ?? 'under way'} (#${lastSeq})`,
    ]),
    ...section(
      'Results that give nothing',
      extractions.filter(({ drifting }) => drifting),
      filter,
      ({ tool, missed, last, lastSeq }) => [
        tool,
        `${tool}, the last ${missed}: ${last} (#${lastSeq})`,
      ],
    ),
    ...section('Summary', textOf(memory.summary), filter, (line, index) => [`${index}`, line]),
  ])
}

function textOf(summary: string | null): readonly string[] {
  return summary === null ? [] : textLines(summary)
}

/** A heading with what stands under it; nothing when nothing does. */
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
