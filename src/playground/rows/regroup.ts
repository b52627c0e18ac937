/** Rows under one heading. */
export interface RowGroup<Row> {
  readonly id: string
  readonly title: string
  readonly folded: boolean
  readonly rows: readonly Row[]
}

/** How rows fall into groups. */
export interface Grouping<Row> {
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
    const place = placeOf(rows[start] as Row, before, at)
    const was = before[place]
    if (was?.title === title && isAt(rows, start, end, was.rows)) {
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
  return (isScattered ? gathered(groups) : groups).map((group) => {
    const isFolded = folded.length > 0 && folded.includes(group.id)
    return group.folded === isFolded ? group : { ...group, folded: isFolded }
  })
}

/** How many groups may have gone in one place; after more, those behind them are made anew. */
const LOOKAHEAD = 64

/** The place of the group that begins with a row. */
function placeOf<Row>(row: Row, among: readonly RowGroup<Row>[], from: number): number {
  const end = Math.min(among.length, from + LOOKAHEAD)
  for (let place = from; place < end; place += 1) if (among[place]?.rows[0] === row) return place
  return -1
}

/** Whether these very rows stand there, and no other. */
function isAt<Row>(
  rows: readonly Row[],
  start: number,
  end: number,
  those: readonly Row[],
): boolean {
  return those.length === end - start && those.every((row, index) => row === rows[start + index])
}

/** Groups of one title as one, where the first of them stood. */
function gathered<Row>(groups: readonly RowGroup<Row>[]): readonly RowGroup<Row>[] {
  return Array.from(Map.groupBy(groups, ({ title }) => title).values(), (parts) => ({
    ...(parts[0] as RowGroup<Row>),
    rows: parts.flatMap(({ rows }) => rows),
  }))
}
