import { matchesPattern, matchesSequence } from '../../kernel/matches-pattern.ts'
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

/** @param orItself a pattern that ends in `**` matches the folder before it, too */
function matchesSegments(
  pattern: readonly string[],
  segments: readonly string[],
  orItself: boolean,
): boolean {
  const isInside = pattern.at(-1) === '**' && !orItself
  return matchesSequence(isInside ? [...pattern, '*'] : pattern, segments, '**', matchesPattern)
}

/**
 * Returns the function that says whether a path below the project is one of those that a skill's `paths` mean: patterns of
 * `.gitignore`, as Claude Code reads them. Braces are alternatives, `folder/**` is the same as `folder`, and case does not
 * matter. Null when there are too many alternatives.
 */
export function fileMatcher(patterns: readonly string[]): ((path: string) => boolean) | null {
  const texts = patterns.flatMap((one) => expanded(one, MAX_ALTERNATIVES))
  if (texts.length > MAX_ALTERNATIVES) return null
  return ignoreMatcher(
    texts.map((one) => one.replace(/\/\*\*$/, '')),
    false,
  )
}

/**
 * Returns the function that says whether lines of a `.gitignore` mean a file below its folder; case does not matter.
 *
 * @param negates `[!a]` is any character but `a`; Claude Code takes either
 */
export function ignoreMatcher(
  lines: readonly string[],
  negates: boolean,
): (path: string) => boolean {
  const rules = lines.map((line) => readRule(line, negates))
  return (path) => {
    const segments = path.split('/').map((one) => [...one.toLowerCase()])
    // A folder that matches has all that is in it: a later pattern with `!` takes none of it back.
    return segments.some((_, at) => {
      const last = rules.findLast(
        ({ wanted, isFolder }) =>
          !(isFolder && at === segments.length - 1) &&
          matchesSequence(wanted, segments.slice(0, at + 1), ANY_FOLDERS, matchesName),
      )
      return last?.takes ?? false
    })
  }
}

type NamePart = (character: string) => boolean

const ANY_TEXT: NamePart = () => true

const ANY_FOLDERS: readonly NamePart[] = []

/** Reads one line of a `.gitignore`: whether it takes or gives back, folders only or files too, and its segments. */
function readRule(text: string, negates: boolean) {
  const [, not, path = '', folder] = /^(!?)(.*?)(\/?)$/s.exec(text.toLowerCase()) ?? []
  const names = path.replace(/^\//, '').split('/')
  const start = path.includes('/') ? [] : [ANY_FOLDERS]
  const isComment = text.startsWith('#') || path === ''
  // At the end, `**` is all that is in a folder, but not the folder.
  const inside = names.at(-1) === '**' && folder === '' ? [nameParts('*', negates)] : []
  const wanted = names.map((name) => (name === '**' ? ANY_FOLDERS : nameParts(name, negates)))
  return {
    takes: not === '',
    isFolder: folder !== '',
    wanted: isComment ? [] : [...start, ...wanted, ...inside],
  }
}

function nameParts(name: string, negates: boolean): readonly NamePart[] {
  const characters = [...name]
  const lastSet = characters.lastIndexOf(']')
  const parts: NamePart[] = []
  for (let at = 0; at < characters.length; at += 1) {
    const one = characters[at]
    if (one === '[' && at < lastSet) {
      const end = characters.indexOf(']', at)
      parts.push(oneIn(characters.slice(at + 1, end).join(''), negates))
      at = end
    } else if (one === '*') parts.push(ANY_TEXT)
    else if (one === '?') parts.push(() => true)
    else {
      if (one === '\\' && at + 1 < characters.length) at += 1
      const literal = characters[at]
      parts.push((other) => other === literal)
    }
  }
  return parts
}

/** @param set such as `a-c_` */
function oneIn(set: string, negates: boolean): NamePart {
  const isOther = negates && /^[!^]/.test(set)
  const ranges = Array.from(set.slice(isOther ? 1 : 0).matchAll(/(.)(?:-(.))?/gsu))
  return (one) => isOther !== ranges.some(([, from = '', to = from]) => from <= one && one <= to)
}

function matchesName(parts: readonly NamePart[], characters: readonly string[]): boolean {
  return matchesSequence(parts, characters, ANY_TEXT, (part, one) => part(one))
}

/** Returns the alternatives of a pattern: the first `{` and the next `}` belong together. */
function expanded(pattern: string, most: number): readonly string[] {
  const [, before = '', inside, after = ''] = /^([^{]*)\{([^}]+)\}(.*)$/s.exec(pattern) ?? []
  if (inside === undefined || most < 1) return [pattern]
  const parts = inside.split(',').slice(0, most + 1)
  return parts.flatMap((part) => expanded(before + part.trim() + after, most / parts.length))
}
