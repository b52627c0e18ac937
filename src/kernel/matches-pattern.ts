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

/** Returns a text in which upper and lower case are the same, whatever the language: also `ß` and `SS`. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
