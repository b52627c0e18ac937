import { ToolError } from 'loadout'

/** White space, comments, quoted text and names, words, or any single character. */
const TOKEN =
  /\s+|--[^\n]*|\/\*.*?(?:\*\/|$)|'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|[\p{L}_][\p{L}\p{N}_$]*|./gsu

/**
 * Let pass one `SELECT`, `WITH` or `VALUES` statement and nothing else.
 *
 * The first gate of three: the connection is opened for reading only, and where this Node has
 * SQLite's authorizer, that denies everything but reading. This one is needed because a read-only
 * connection would still `ATTACH` other files, and because what stands behind a `;` would be
 * dropped without a word.
 */
export function oneSelect(sql: string): void {
  if (sql.includes('\0')) throw refused('holds a NUL character')
  const tokens = [...sql.matchAll(TOKEN)].map(([token]) => token).filter((token) => !isBlank(token))
  const first = tokens[0]?.toLowerCase()
  if (first === undefined) throw refused('is empty')
  if (first !== 'select' && first !== 'with' && first !== 'values') {
    throw refused(`starts with ${JSON.stringify(tokens[0])}; only SELECT, WITH and VALUES are run`)
  }
  const end = tokens.indexOf(';')
  if (end >= 0 && end < tokens.length - 1) throw refused('holds more than one statement')
}

function isBlank(token: string): boolean {
  return token.trim() === '' || token.startsWith('--') || token.startsWith('/*')
}

function refused(why: string): ToolError {
  return new ToolError('VALIDATION', `The query ${why}.`)
}
