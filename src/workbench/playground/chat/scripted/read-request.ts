/** A request in the words of a person, with the pieces that may be arguments. */
export interface SpokenRequest {
  readonly text: string
  readonly urls: readonly string[]
  /** Words that look like paths: with a slash, or with an extension. */
  readonly files: readonly string[]
  /** Words with `*`, such as `*.md`. */
  readonly globs: readonly string[]
  readonly quotes: readonly string[]
  /** A statement of SQL; null without one. */
  readonly sql: string | null
  /** The text without addresses, paths and quotes. */
  readonly words: string
}

/** Characters of a request that are read. */
const MOST_CHARACTERS = 4_000

/** Reads a request. */
export function readRequest(given: string): SpokenRequest {
  const text = given.slice(0, MOST_CHARACTERS)
  const { quotes, unquoted } = readQuotes(text)
  const urls: string[] = []
  const files: string[] = []
  const globs: string[] = []
  const words: string[] = []
  for (const word of unquoted.split(/\s+/u)) {
    const piece = withoutEnd(word, PUNCTUATION)
    if (/^https?:\/\//iu.test(piece)) urls.push(piece)
    else if (piece.includes('*') && /^[\w./*?-]+$/u.test(piece)) globs.push(piece)
    else if (isFile(piece)) files.push(piece)
    else if (word !== '') words.push(word)
  }
  const sql = statementIn(text, files)
  return { text, urls, files, globs, quotes, sql, words: words.join(' ') }
}

const PUNCTUATION = '.,;:!?)]'

/** Removes these characters from the end of a text. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Returns the words of a text in small letters, without punctuation, between blanks. */
export function asWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_.]/gu, ' ')
    .split(' ')
    .map((word) => withoutEnd(word, '.'))
    .filter((word) => word !== '')
    .join(' ')} `
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['`', '`'],
  ["'", "'"],
])

/** Reads quoted texts. Single quotes are apostrophes, too, so they begin after a blank and end before one. */
function readQuotes(text: string): {
  readonly quotes: readonly string[]
  readonly unquoted: string
} {
  const quotes: string[] = []
  let unquoted = ''
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    const closing = CLOSING.get(character)
    const isSingle = character === "'"
    const canOpen = closing !== undefined && (!isSingle || at === 0 || isBlank(text.charAt(at - 1)))
    const end = canOpen ? closingAt(text, at + 1, closing, isSingle) : -1
    if (end < 0) {
      unquoted += character
      at += 1
    } else {
      quotes.push(text.slice(at + 1, end))
      unquoted += ' '
      at = end + 1
    }
  }
  return { quotes, unquoted }
}

function closingAt(text: string, from: number, closing: string, isSingle: boolean): number {
  for (let end = text.indexOf(closing, from); end >= 0; end = text.indexOf(closing, end + 1)) {
    const next = text.charAt(end + 1)
    const closes = !isSingle || next === '' || isBlank(next) || PUNCTUATION.includes(next)
    if (closes && end > from) return end
  }
  return -1
}

function isBlank(character: string): boolean {
  return /^\s$/u.test(character)
}

/** Names of time zones look like paths. */
const ZONES = new Set(Intl.supportedValuesOf('timeZone').map((zone) => zone.toLowerCase()))

function isFile(word: string): boolean {
  if (!/^[\w@./-]+$/u.test(word) || ZONES.has(word.toLowerCase())) return false
  if (word.includes('/')) return word.length > 1
  const dot = word.lastIndexOf('.')
  return dot > 0 && /^[a-z][a-z0-9]{0,7}$/iu.test(word.slice(dot + 1))
}

/** Words between a statement and the file that is named after it. */
const BEFORE_FILE = new Set(['on', 'in', 'from', 'of', 'over', 'using', 'the', 'file'])

/** Returns a statement of SQL, without the file that is named after it. */
function statementIn(text: string, files: readonly string[]): string | null {
  const at = text.search(/\b(?:select|with)\b/iu)
  if (at < 0) return null
  const rest = text.slice(at)
  const small = rest.toLowerCase()
  const isSelect = small.startsWith('select') && /\b(?:from|values)\b/u.test(small)
  const isWith = small.startsWith('with') && small.includes(' as (') && small.includes('select')
  if (!isSelect && !isWith) return null
  const file = files.findLast((one) => rest.includes(one))
  if (file === undefined) return withoutEnd(rest, ';.?! ')
  const words = rest.slice(0, rest.lastIndexOf(file)).trimEnd().split(' ')
  while (BEFORE_FILE.has(withoutEnd(words.at(-1) ?? '', ',;').toLowerCase())) words.pop()
  return withoutEnd(words.join(' '), ';,.?! ')
}
