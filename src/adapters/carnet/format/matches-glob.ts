/** Characters of a pattern; a longer one matches nothing. */
const MAX_LENGTH = 1024
/** Alternatives of braces that are tried; more than that make the pattern match nothing. */
const MAX_ALTERNATIVES = 64

/**
 * Whether a glob covers a path, both with `/`: `*` and `?` stay within a folder, `**` does not,
 * `{a,b}` is either. A pattern that covers a folder covers all below it.
 *
 * Nothing is compiled, and the time is that of pattern times path.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > MAX_LENGTH) return false
  const parts = path.split('/')
  const trimmed = pattern.startsWith('./') ? pattern.slice(2) : pattern
  return alternatives(trimmed).some((one) =>
    matchesFolders(
      one.split('/').filter((part) => part !== ''),
      parts,
    ),
  )
}

/** Whether the parts of a pattern cover the beginning of a path, which then covers all below. */
function matchesFolders(pattern: readonly string[], parts: readonly string[]): boolean {
  let reached = new Set([0])
  for (const one of pattern) {
    const next = new Set<number>()
    if (one === '**') {
      const [first = parts.length + 1] = [...reached].sort((a, b) => a - b)
      for (let to = first; to <= parts.length; to += 1) next.add(to)
    } else {
      for (const at of reached) {
        if (at < parts.length && matchesName(one, parts[at] ?? '')) next.add(at + 1)
      }
    }
    reached = next
  }
  return pattern.length > 0 && reached.size > 0
}

/** Whether `*` and `?` in a pattern cover a whole name; the last `*` is stretched when one fails. */
function matchesName(pattern: string, name: string): boolean {
  let at = 0
  let star = -1
  let mark = 0
  let index = 0
  while (index < name.length) {
    if (pattern[at] === '*') {
      star = at
      mark = index
      at += 1
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[index])) {
      at += 1
      index += 1
    } else if (star >= 0) {
      at = star + 1
      mark += 1
      index = mark
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}

/** A pattern with its braces written out; none when there are too many. */
function alternatives(pattern: string): readonly string[] {
  let open = [pattern]
  for (;;) {
    const next = open.flatMap((one) => {
      const end = one.indexOf('}')
      const start = end < 0 ? -1 : one.lastIndexOf('{', end)
      if (start < 0) return [one]
      const inner = one.slice(start + 1, end).split(',')
      return inner.map((part) => one.slice(0, start) + part + one.slice(end + 1))
    })
    if (next.length > MAX_ALTERNATIVES) return []
    if (next.length === open.length && next.every((one, index) => one === open[index])) return next
    open = next
  }
}
