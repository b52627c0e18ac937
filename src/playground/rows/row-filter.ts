/** Rows in their order that hold every word of a filter. */
type RowFilter<Row> = (rows: readonly Row[], filter: string) => readonly Row[]

/**
 * A filter over lists that stay the same while it is typed: each letter looks only through what
 * the letters before have left.
 *
 * @param textOf what is looked through, in small letters; asked each time, so it is kept elsewhere
 */
export function rowFilter<Row>(textOf: (row: Row) => string): RowFilter<Row> {
  const last = new WeakMap<readonly Row[], { filter: string; left: readonly Row[] }>()
  return (rows, filter) => {
    if (filter === '') return rows
    const typed = filter.toLowerCase()
    const known = last.get(rows)
    if (known?.filter === typed) return known.left
    const words = typed.split(' ')
    const among = known !== undefined && typed.startsWith(known.filter) ? known.left : rows
    const left = among.filter((row) => {
      const text = textOf(row)
      return words.every((word) => text.includes(word))
    })
    last.set(rows, { filter: typed, left })
    return left
  }
}

/** Whether every word of a filter stands somewhere in the texts, whatever the case. */
export function matchesFilter(filter: string, texts: readonly string[]): boolean {
  if (filter === '') return true
  const words = filter.toLowerCase().split(' ')
  const all = texts.join('\n').toLowerCase()
  return words.every((word) => all.includes(word))
}

/** The name a filter most likely means: one that begins with it, else one that holds it, else the first. */
export function bestMatch(names: readonly string[], filter: string): string | null {
  const typed = filter.toLowerCase()
  const lower = (name: string) => name.toLowerCase()
  return (
    names.find((name) => lower(name).startsWith(typed)) ??
    names.find((name) => lower(name).includes(typed)) ??
    names[0] ??
    null
  )
}
