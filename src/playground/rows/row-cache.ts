import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/**
 * The same reading, done once for a moment of a session and what it is asked with: a frame in which
 * only the cursor moved computes nothing anew, however many tools there are. Skills on their way
 * are no fact of the session: who needs them asks with them.
 */
export function cachePerState<Asked extends readonly unknown[], Value>(
  read: (reader: WorkspaceReader, ...asked: Asked) => Value,
): (reader: WorkspaceReader, ...asked: Asked) => Value {
  const kept = new WeakMap<
    WorkspaceReader,
    { readonly state: WorkspaceState; readonly asked: Asked; readonly value: Value }
  >()
  return (reader, ...asked) => {
    const { state } = reader
    const known = kept.get(reader)
    if (known?.state === state && known.asked.every((one, index) => one === asked[index])) {
      return known.value
    }
    const value = read(reader, ...asked)
    kept.set(reader, { state, asked, value })
    return value
  }
}

/** Makes rows of listings; gives the rows of the listings that were there the last time. */
type RowCache<Owner extends object, Listing, Row> = (
  owner: Owner,
  listed: readonly Listing[],
  rowOf: (listing: Listing) => Row,
) => readonly Row[]

/** How many listings may have gone in one place; after more, the rows behind them are made anew. */
const LOOKAHEAD = 64

/**
 * A row for each listing. A listing that is the same object as in the last list of this owner has
 * the row it had: that is told by walking along both lists, since looking each of ten thousand up
 * takes longer than a key may.
 */
export function rowCache<Owner extends object, Listing, Row>(): RowCache<Owner, Listing, Row> {
  const last = new WeakMap<
    Owner,
    { readonly listed: readonly Listing[]; readonly rows: readonly Row[] }
  >()
  return (owner, listed, rowOf) => {
    const before = last.get(owner)
    let at = 0
    const rows = listed.map((listing): Row => {
      const place = placeOf(listing, before?.listed ?? [], at)
      if (place < 0) return rowOf(listing)
      at = place + 1
      return before?.rows[place] as Row
    })
    last.set(owner, { listed, rows })
    return rows
  }
}

function placeOf<Listing>(listing: Listing, among: readonly Listing[], from: number): number {
  const end = Math.min(among.length, from + LOOKAHEAD)
  for (let place = from; place < end; place += 1) if (among[place] === listing) return place
  return -1
}

/** Rows under one heading. */
export interface RowGroup<Row> {
  readonly id: string
  readonly title: string
  readonly folded: boolean
  readonly rows: readonly Row[]
}

/** How rows fall into groups. */
interface Grouping<Row> {
  readonly titleOf: (row: Row) => string
  readonly idOf: (title: string) => string
  /** Ids of folded groups. */
  readonly folded: readonly string[]
}

/**
 * Rows under their headings, in the order of the first row of each. A group that is as it was before
 * is the same object, so what was made of it can be kept.
 */
export function regroup<Row>(
  rows: readonly Row[],
  { titleOf, idOf, folded }: Grouping<Row>,
  before: readonly RowGroup<Row>[],
): readonly RowGroup<Row>[] {
  const groups: RowGroup<Row>[] = []
  const fresh = new Set<string>()
  let at = 0
  for (let start = 0; start < rows.length;) {
    const title = titleOf(rows[start] as Row)
    let end = start + 1
    while (end < rows.length && titleOf(rows[end] as Row) === title) end += 1
    const place = groupPlace(rows[start] as Row, before, at)
    const was = before[place]
    if (was?.title === title && hasSameRows(rows, start, end, was.rows)) {
      at = place + 1
      groups.push(was)
    } else {
      fresh.add(title)
      groups.push({ id: idOf(title), title, folded: false, rows: rows.slice(start, end) })
    }
    start = end
  }
  // Mostly the rows of a heading come together.
  const isScattered = groups.filter(({ title }) => fresh.has(title)).length > fresh.size
  return (isScattered ? mergeGroups(groups) : groups).map((group) => {
    const isFolded = folded.length > 0 && folded.includes(group.id)
    return group.folded === isFolded ? group : { ...group, folded: isFolded }
  })
}

/** How many groups may have gone in one place; after more, those behind them are made anew. */
const GROUP_LOOKAHEAD = 64

/** The place of the group that begins with a row. */
function groupPlace<Row>(row: Row, among: readonly RowGroup<Row>[], from: number): number {
  const end = Math.min(among.length, from + GROUP_LOOKAHEAD)
  for (let place = from; place < end; place += 1) if (among[place]?.rows[0] === row) return place
  return -1
}

/** Whether these very rows stand there, and no other. */
function hasSameRows<Row>(
  rows: readonly Row[],
  start: number,
  end: number,
  those: readonly Row[],
): boolean {
  return those.length === end - start && those.every((row, index) => row === rows[start + index])
}

/** Groups of one title as one, where the first of them stood. */
function mergeGroups<Row>(groups: readonly RowGroup<Row>[]): readonly RowGroup<Row>[] {
  return Array.from(Map.groupBy(groups, ({ title }) => title).values(), (parts) => ({
    ...(parts[0] as RowGroup<Row>),
    rows: parts.flatMap(({ rows }) => rows),
  }))
}
