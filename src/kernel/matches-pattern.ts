/**
 * Returns true if `pattern` matches all of `name`. `*` matches any text, also an empty one; every
 * other character matches itself, and case matters.
 *
 * Patterns come from policies and agent files, so they are never compiled to regular expressions.
 * The pieces between stars are searched from left to right, without backtracking.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const pieces = pattern.split('*')
  const first = pieces[0] ?? ''
  if (pieces.length === 1) return first === name
  const last = pieces.at(-1) ?? ''
  if (!name.startsWith(first)) return false
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const at = name.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return name.length - last.length >= from && name.endsWith(last)
}

/**
 * Returns true if a pattern matches a whole list: `any` stands for any number of items, also none. The items between are
 * searched from left to right, so that the time is at most the product of the lengths.
 */
export function matchesSequence<Part, Item>(
  pattern: readonly Part[],
  items: readonly Item[],
  any: Part,
  matches: (part: Part, item: Item) => boolean,
): boolean {
  let [at, index] = [0, 0]
  let [restartAt, restartIndex] = [-1, 0]
  while (index < items.length) {
    const part = pattern[at]
    if (part === any) {
      at += 1
      ;[restartAt, restartIndex] = [at, index]
    } else if (part !== undefined && matches(part, items[index] as Item)) {
      at += 1
      index += 1
    } else if (restartAt >= 0) {
      restartIndex += 1
      ;[at, index] = [restartAt, restartIndex]
    } else return false
  }
  return pattern.slice(at).every((part) => part === any)
}

/** Returns a text in which upper and lower case are the same, whatever the language: also `ß` and `SS`. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
