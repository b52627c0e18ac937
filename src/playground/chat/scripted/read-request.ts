/** A request in the words of a person, with the pieces that may be arguments. */
export interface SpokenRequest {
  readonly text: string
  readonly urls: readonly string[]
  /** Words that look like paths: with a slash, or with an extension. */
  readonly files: readonly string[]
  /** Words with `*` or `?`, such as `*.md`. */
  readonly globs: readonly string[]
  readonly quotes: readonly string[]
  /** A statement of SQL; null without one. */
  readonly sql: string | null
  /** The text without addresses, paths and quotes. */
  readonly words: string
}

const URLS = /https?:\/\/[^\s"'<>`]+/giu

/** Single quotes are apostrophes, too, so they begin after a blank and end before one. */
const QUOTES = /"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<=^|\s)'([^']+)'(?=$|[\s.,;:!?])/gu

const GLOBS = /(?<=^|\s)[\w./-]*[*][\w./*?-]*/gu

const FILES =
  /(?<![\w/.])(?:\.{0,2}\/)?[\w@-][\w.@-]*(?:\/[\w.@-]+)+\/?|(?<![\w/.])[\w@-]+\/(?=$|[\s.,;:!?])|(?<![\w/.])[\w@-][\w@.-]*\.[a-z][a-z0-9]{0,7}\b/giu

const SQL = /\b(?:select|with)\b[\s\S]*\b(?:from|values|select)\b[\s\S]*/iu

/** Reads a request. */
export function readRequest(text: string): SpokenRequest {
  const urls = matches(text, URLS).map(trimmed)
  const without = text.replace(URLS, ' ')
  const quotes = [...without.matchAll(QUOTES)].map(
    ([, double, curly, tick, single]) => double ?? curly ?? tick ?? single ?? '',
  )
  const sql = SQL.exec(without)?.[0] ?? null
  const unquoted = without.replace(QUOTES, ' ')
  const globs = matches(unquoted, GLOBS).map(trimmed)
  const files = matches(sql === null ? unquoted.replace(GLOBS, ' ') : without, FILES)
    .map(trimmed)
    .filter((word) => !isZone(word))
  const words = unquoted.replace(GLOBS, ' ').replace(FILES, ' ').replace(/\s+/gu, ' ').trim()
  return {
    text,
    urls,
    files,
    globs,
    quotes,
    sql: sql === null ? null : statement(sql, files),
    words,
  }
}

/** Names of time zones look like paths. */
function isZone(word: string): boolean {
  return ZONES.has(word.toLowerCase())
}

const ZONES = new Set(Intl.supportedValuesOf('timeZone').map((zone) => zone.toLowerCase()))

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([match]) => match)
}

function trimmed(word: string): string {
  return word.replace(/[.,;:!?)\]]+$/u, '')
}

/** Returns a statement without the file that is named after it. */
function statement(sql: string, files: readonly string[]): string {
  const end = files.reduce(
    (text, file) =>
      text.replace(
        new RegExp(
          `[,;]?\\s*(?:on|in|from|of|over|using)\\s+(?:the\\s+)?(?:file\\s+)?${escapePattern(file)}.*$`,
          'isu',
        ),
        '',
      ),
    sql,
  )
  return end.replace(/[;.?!\s]+$/u, '')
}

/** Escapes a text for a pattern. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)
}
