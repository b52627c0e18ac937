/**
 * Creates a filter for lists that do not change while it is typed: each further letter searches only
 * the rows that matched before.
 *
 * If no row contains the words, rows match whose name has the letters of the filter in order: `rpexp` finds
 * `repo-explorer`.
 *
 * @param write returns the searched texts of a row, the name first; called once for each row
 */
export function rowFilter<Row extends object>(
  write: (row: Row) => readonly string[],
): (rows: readonly Row[], filter: string) => readonly Row[] {
  const texts = new WeakMap<Row, { readonly name: string; readonly all: string }>()
  const read = (row: Row) => {
    const known = texts.get(row)
    if (known !== undefined) return known
    const words = write(row)
    const text = { name: (words[0] ?? '').toLowerCase(), all: words.join('\n').toLowerCase() }
    texts.set(row, text)
    return text
  }
  const last = new WeakMap<
    readonly Row[],
    { filter: string; left: readonly Row[]; shown: readonly Row[] }
  >()
  return (rows, filter) => {
    if (filter === '') return rows
    const typed = filter.toLowerCase()
    const known = last.get(rows)
    if (known?.filter === typed) return known.shown
    const words = typed.split(' ')
    const among = known !== undefined && typed.startsWith(known.filter) ? known.left : rows
    const left = among.filter((row) => {
      const { all } = read(row)
      return words.every((word) => all.includes(word))
    })
    const shown =
      left.length > 0 ? left : rows.filter((row) => hasLettersInOrder(read(row).name, typed))
    last.set(rows, { filter: typed, left, shown })
    return shown
  }
}

/** Returns true when a text has all letters of another, in their order; blanks are ignored. */
export function hasLettersInOrder(text: string, letters: string): boolean {
  let from = 0
  for (const letter of letters.replaceAll(' ', '')) {
    const at = text.indexOf(letter, from)
    if (at < 0) return false
    from = at + letter.length
  }
  return true
}

/** Returns true when the texts contain every word of a filter, ignoring case. */
export function matchesFilter(filter: string, texts: readonly string[]): boolean {
  if (filter === '') return true
  const words = filter.toLowerCase().split(' ')
  const all = texts.join('\n').toLowerCase()
  return words.every((word) => all.includes(word))
}

/** Returns the best match for a filter: a name that starts with it, else contains it, else the first. */
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
