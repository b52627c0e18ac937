const MOST_LETTERS = 100

/**
 * Names fit for the columns of one table: trimmed and bounded, `column_3` where the header is empty, and a
 * number behind a name that was there before. SQLite compares names without case, so do we.
 */
export function columnNames(header: readonly (string | null)[]): readonly string[] {
  const taken = new Set<string>()
  return header.map((title, index) => {
    const wanted =
      (title ?? '').replaceAll('\0', '').trim().slice(0, MOST_LETTERS) || `column_${index + 1}`
    let name = wanted
    for (let copy = 2; taken.has(name.toLowerCase()); copy += 1) name = `${wanted}_${copy}`
    taken.add(name.toLowerCase())
    return name
  })
}
