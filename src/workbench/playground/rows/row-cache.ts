import type { WorkspaceReader, WorkspaceState } from '../../../entries/index.ts'

/**
 * Caches the last result of a function of a reader, its state and further arguments: a frame in which
 * only the cursor moved computes nothing again, however many tools there are. Pending skills are not
 * part of the state: pass them as an argument.
 */
export function cachePerState<Args extends readonly unknown[], Value>(
  read: (reader: WorkspaceReader, ...args: Args) => Value,
): (reader: WorkspaceReader, ...args: Args) => Value {
  const cache = new WeakMap<
    WorkspaceReader,
    { readonly state: WorkspaceState; readonly args: Args; readonly value: Value }
  >()
  return (reader, ...args) => {
    const { state } = reader
    const known = cache.get(reader)
    if (known?.state === state && known.args.every((one, index) => one === args[index])) {
      return known.value
    }
    const value = read(reader, ...args)
    cache.set(reader, { state, args, value })
    return value
  }
}

/** Lists the tools of a session once for each state. */
export const listedTools = cachePerState((reader) => reader.tools())

/**
 * Creates a cache of rows. A listing that is the same object as in the last list of this owner keeps
 * its row. Most changes are in one place: what is equal at both ends is copied, and between them both lists are
 * walked in parallel. Looking up each of ten thousand listings would take too long for one key press.
 */
export function rowCache<Owner extends object, Listing, Row>(): (
  owner: Owner,
  listed: readonly Listing[],
  rowOf: (listing: Listing) => Row,
) => readonly Row[] {
  const last = new WeakMap<
    Owner,
    { readonly listed: readonly Listing[]; readonly rows: readonly Row[] }
  >()
  return (owner, listed, rowOf) => {
    const before = last.get(owner) ?? { listed: [], rows: [] }
    const start = equalAtStart(before.listed, listed)
    const end = equalAtEnd(before.listed, listed, start)
    let at = start
    const changed = listed.slice(start, listed.length - end).map((listing): Row => {
      const place = findNear(listing, before.listed, at, (one) => one)
      if (place < 0) return rowOf(listing)
      at = place + 1
      return before.rows[place] as Row
    })
    const rows = before.rows
      .slice(0, start)
      .concat(changed, before.rows.slice(before.rows.length - end))
    last.set(owner, { listed, rows })
    return rows
  }
}

/** Counts the items at the start of two lists that are the same objects. */
function equalAtStart<Item>(some: readonly Item[], others: readonly Item[]): number {
  const most = Math.min(some.length, others.length)
  let count = 0
  while (count < most && some[count] === others[count]) count += 1
  return count
}

/** Counts the items at the end of two lists that are the same objects, behind those at the start. */
function equalAtEnd<Item>(some: readonly Item[], others: readonly Item[], start: number): number {
  const most = Math.min(some.length, others.length) - start
  let count = 0
  while (count < most && some[some.length - 1 - count] === others[others.length - 1 - count]) {
    count += 1
  }
  return count
}

/** Items that may be missing in one place; after more, the items behind them are made again. */
const LOOKAHEAD = 64

/** Finds the next item with a key, near where the last one was found; -1 when it is not near. */
function findNear<Key, Item>(
  key: Key,
  among: readonly Item[],
  from: number,
  keyOf: (item: Item) => Key | undefined,
): number {
  const end = Math.min(among.length, from + LOOKAHEAD)
  for (let place = from; place < end; place += 1) {
    if (keyOf(among[place] as Item) === key) return place
  }
  return -1
}

/** Rows under one heading. */
export interface RowGroup<Row> {
  readonly id: string
  readonly title: string
  readonly folded: boolean
  readonly rows: readonly Row[]
}

/** The grouping of rows by title. */
interface Grouping<Row> {
  readonly titleOf: (row: Row) => string
  readonly idOf: (title: string) => string
  /** Ids of folded groups. */
  readonly folded: readonly string[]
}

/**
 * Groups rows under headings, in the order of the first row of each. A group that did not change since
 * `before` is the same object, so that caches keyed by it stay valid.
 *
 * @param before the groups of an earlier list, by the same titles
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
    const same = before[at]
    if (same !== undefined && isNextGroup(rows, start, same, titleOf)) {
      at += 1
      groups.push(same)
      start += same.rows.length
      continue
    }
    const title = titleOf(rows[start] as Row)
    let end = start + 1
    while (end < rows.length && titleOf(rows[end] as Row) === title) end += 1
    const place = findNear(rows[start] as Row, before, at, (group) => group.rows[0])
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
  // Usually the rows of a heading are next to each other.
  const isScattered = groups.filter(({ title }) => fresh.has(title)).length > fresh.size
  return (isScattered ? mergeGroups(groups) : groups).map((group) => {
    const isFolded = folded.length > 0 && folded.includes(group.id)
    return group.folded === isFolded ? group : { ...group, folded: isFolded }
  })
}

/** Returns true when the rows from `start` on are those of a group, and the row after them is of another one. */
function isNextGroup<Row>(
  rows: readonly Row[],
  start: number,
  { title, rows: expected }: RowGroup<Row>,
  titleOf: (row: Row) => string,
): boolean {
  const end = start + expected.length
  const after = rows[end]
  // Its rows need no look at their titles: most groups of a list are as before.
  return (
    end <= rows.length &&
    hasSameRows(rows, start, end, expected) &&
    (after === undefined || titleOf(after) !== title)
  )
}

/** Returns true when a part of `rows` consists of exactly the expected rows. */
function hasSameRows<Row>(
  rows: readonly Row[],
  start: number,
  end: number,
  expected: readonly Row[],
): boolean {
  if (expected.length !== end - start) return false
  for (let index = 0; index < expected.length; index += 1) {
    if (expected[index] !== rows[start + index]) return false
  }
  return true
}

/** Merges groups of the same title at the position of the first. */
function mergeGroups<Row>(groups: readonly RowGroup<Row>[]): readonly RowGroup<Row>[] {
  return Array.from(Map.groupBy(groups, ({ title }) => title).values(), (parts) => ({
    ...(parts[0] as RowGroup<Row>),
    rows: parts.flatMap(({ rows }) => rows),
  }))
}
