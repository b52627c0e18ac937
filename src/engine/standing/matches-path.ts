import { matchesPattern } from '../../kernel/matches-pattern.ts'
import { tryOrUndefined } from '../../kernel/thrown-message.ts'

/** A path without `.`, empty segments, and `..` that can be resolved. */
interface ReadPath {
  readonly segments: readonly string[]
  /** `root`: absolute. `elsewhere`: below a folder that the text does not say, such as a home. */
  readonly from: 'here' | 'root' | 'elsewhere'
  /** The drive in lower case; empty without one. */
  readonly drive: string
  /** It leaves the folder that it is relative to. */
  readonly climbs: boolean
}

/**
 * Returns true when a path matches a pattern. `*` matches within a segment, `**` any number of segments. Only the
 * text is compared: links, and the folder of the process, are not known.
 *
 * @param quantity `some`: the path may be one that the pattern means. A relative pattern then matches the end of a
 *   path that is absolute or leaves its folder, and a backslash separates, too. `every`: it is certainly one.
 *   A path that leaves its folder, starts elsewhere or has a backslash then matches nothing.
 */
export function matchesPath(pattern: string, text: string, quantity: 'some' | 'every'): boolean {
  const wanted = readPath(pattern)
  if (quantity === 'some') {
    return [text, asOthersRead(text)].some((one) => mayBe(wanted, readPath(one)))
  }
  return mustBe(wanted, text)
}

function mustBe(wanted: ReadPath, text: string): boolean {
  const path = readPath(text)
  const isPlain = !path.climbs && path.from !== 'elsewhere' && !text.includes('\\')
  const isThere = path.from === wanted.from && path.drive === wanted.drive
  return isPlain && isThere && matchesSegments(wanted.segments, path.segments, false)
}

/** Alternatives of one pattern. */
const MAX_ALTERNATIVES = 64

/**
 * Returns the function that says whether a pattern such as `src/*.{ts,tsx}` certainly means a path; null when it has too
 * many alternatives.
 */
export function globMatcher(pattern: string): ((path: string) => boolean) | null {
  const patterns = alternatives(pattern)?.map(readPath)
  if (patterns === undefined) return null
  return (path) => patterns.some((wanted) => mustBe(wanted, path))
}

function alternatives(pattern: string): readonly string[] | null {
  const done: string[] = []
  const waiting = [pattern.startsWith('./') ? pattern.slice(2) : pattern]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const end = one.indexOf('}')
    const start = end < 0 ? -1 : one.lastIndexOf('{', end)
    if (start < 0) done.push(one)
    else {
      for (const part of one.slice(start + 1, end).split(',')) {
        waiting.push(one.slice(0, start) + part + one.slice(end + 1))
      }
    }
    if (done.length + waiting.length > MAX_ALTERNATIVES) return null
  }
  return done
}

/** Characters of a path that counts as a fact. */
const LONGEST_PATH = 1_000

/**
 * Returns a path below a folder with `/` between its segments, and without `.` and `..`; null for one that is absolute,
 * leaves the folder, begins elsewhere, or is no path.
 */
export function relativePath(text: string): string | null {
  if (text.length > LONGEST_PATH || /\p{Cc}/u.test(text)) return null
  const { segments, from, drive, climbs } = readPath(text.replaceAll('\\', '/'))
  if (from !== 'here' || drive !== '' || climbs || segments.length === 0) return null
  return segments.join('/').toWellFormed()
}

function mayBe(wanted: ReadPath, { segments, from, drive, climbs }: ReadPath): boolean {
  const is = (pattern: readonly string[]) => matchesSegments(pattern, segments, true)
  if (from === 'here' && !climbs) return wanted.from === 'here' && is(wanted.segments)
  if (wanted.from === 'here') return is(['**', ...wanted.segments])
  // Below a home, or below a folder that is named by a variable.
  if (wanted.from === 'elsewhere' && from === 'root') return is(['**', ...wanted.segments.slice(1)])
  const isOtherDrive = wanted.drive !== '' && drive !== '' && wanted.drive !== drive
  if (from === 'root') return !isOtherDrive && is(wanted.segments)
  // The folder above is not known: it may be any folder that the pattern begins with.
  return wanted.segments.some((_, at) => is(wanted.segments.slice(at)))
}

/** The path as other systems and tools read it: trimmed, with backslashes that separate, from a file URL. */
function asOthersRead(text: string): string {
  const trimmed = text.trim().replaceAll('\\', '/')
  if (!/^file:/i.test(trimmed)) return trimmed
  return tryOrUndefined(() => decodeURIComponent(trimmed)) ?? trimmed
}

function readPath(text: string): ReadPath {
  const drive = /^[a-z]:(?=\/)/i.exec(text)?.[0] ?? ''
  const rest = text.slice(drive.length)
  const segments: string[] = []
  let climbs = false
  for (const segment of rest.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) climbs = true
  }
  const isElsewhere = /^(?:~|[a-z][a-z0-9+.-]*:|\$|%)/i.test(rest)
  const from = rest.startsWith('/') ? 'root' : isElsewhere ? 'elsewhere' : 'here'
  return { segments, from, drive: drive.toLowerCase(), climbs: climbs && from !== 'root' }
}

/**
 * Matches segments in one pass: the pieces between `**` are found from left to right.
 *
 * @param orItself a pattern that ends in `**` matches the folder before it, too
 */
function matchesSegments(
  pattern: readonly string[],
  segments: readonly string[],
  orItself: boolean,
): boolean {
  const [first = [], ...rest] = splitAtStars(pattern)
  const last = rest.pop()
  const isAt = (piece: readonly string[], at: number) =>
    piece.every((one, index) => matchesSegment(one, segments[at + index]))
  if (last === undefined) return first.length === segments.length && isAt(first, 0)
  if (!isAt(first, 0)) return false
  let from = first.length
  for (const piece of rest) {
    const most = segments.length - piece.length
    while (from <= most && !isAt(piece, from)) from += 1
    if (from > most) return false
    from += piece.length
  }
  const least = last.length === 0 && !orItself ? 1 : last.length
  return segments.length - least >= from && isAt(last, segments.length - last.length)
}

function matchesSegment(pattern: string, segment: string | undefined): boolean {
  return segment !== undefined && matchesPattern(pattern, segment)
}

function splitAtStars(pattern: readonly string[]): readonly (readonly string[])[] {
  const pieces: string[][] = [[]]
  for (const segment of pattern) {
    if (segment === '**') pieces.push([])
    else pieces.at(-1)?.push(segment)
  }
  return pieces
}
