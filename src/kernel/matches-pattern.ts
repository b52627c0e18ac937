/**
 * Whether `pattern` covers the whole of `name`. `*` stands for anything, also for nothing;
 * every other character stands for itself, in its own case.
 *
 * Patterns come from policies and agent files, so none is ever compiled to a regular
 * expression; the pieces between stars are looked for from left to right, without going back.
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
