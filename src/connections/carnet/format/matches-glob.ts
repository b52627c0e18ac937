/** Maximum length of a pattern; a longer one matches nothing. */
const MAX_LENGTH = 1024
/** Maximum number of alternatives in braces; a pattern with more matches nothing. */
const MAX_ALTERNATIVES = 64

/**
 * Returns true when a glob matches a path, both with `/`: `*` and `?` stay within a folder, `**`
 * does not, `{a,b}` is either. A pattern that matches a folder matches everything below it.
 *
 * Nothing is compiled, and the time is proportional to pattern times path.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > MAX_LENGTH) return false
  const parts = path.split('/')
  const trimmed = pattern.startsWith('./') ? pattern.slice(2) : pattern
  return alternatives(trimmed).some((branch) =>
    matchesFolders(
      branch.split('/').filter((part) => part !== ''),
      parts,
    ),
  )
}

/**
 * Returns true when a pattern matches the beginning of a path, which then includes everything
 * below.
 */
function matchesFolders(pattern: readonly string[], parts: readonly string[]): boolean {
  let reached = new Set([0])
  for (const part of pattern) {
    const next = new Set<number>()
    if (part === '**') {
      const [first = parts.length + 1] = [...reached].sort((a, b) => a - b)
      for (let to = first; to <= parts.length; to += 1) next.add(to)
    } else {
      for (const at of reached) {
        if (at < parts.length && matchesName(part, parts[at] ?? '')) next.add(at + 1)
      }
    }
    reached = next
  }
  return pattern.length > 0 && reached.size > 0
}

/**
 * Returns true when a pattern with `*` and `?` matches a complete name. On a mismatch the last `*`
 * is extended.
 */
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

/** Expands the braces of a pattern; returns no pattern when there are too many. */
function alternatives(pattern: string): readonly string[] {
  let open = [pattern]
  for (;;) {
    const next = open.flatMap((branch) => {
      const end = branch.indexOf('}')
      const start = end < 0 ? -1 : branch.lastIndexOf('{', end)
      if (start < 0) return [branch]
      const inner = branch.slice(start + 1, end).split(',')
      return inner.map((part) => branch.slice(0, start) + part + branch.slice(end + 1))
    })
    if (next.length > MAX_ALTERNATIVES) return []
    if (next.length === open.length && next.every((branch, index) => branch === open[index]))
      return next
    open = next
  }
}
