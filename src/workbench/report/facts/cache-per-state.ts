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

/** Groups that may be missing in one place; after more, those behind them are made again. */
const LOOKAHEAD = 64

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
    const near = before.slice(at, at + LOOKAHEAD)
    const place = at + near.findIndex((group) => group.rows[0] === rows[start])
    const was = place < at ? undefined : before[place]
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
