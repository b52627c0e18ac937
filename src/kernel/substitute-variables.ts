/** Values by name, as a map or a plain object, of which only its own properties count. */
export type VariableScope = Readonly<Record<string, string>> | ReadonlyMap<string, string>

/** A text with its variables replaced, and their names: each once, in order of appearance. */
export interface Substitution {
  readonly text: string
  readonly used: readonly string[]
  /** Names that are in no scope; they stay in the text as written. */
  readonly unknown: readonly string[]
  /** The placeholders of arguments, such as `$ARGUMENTS`, that were filled, and those that stay as written. */
  readonly filled: readonly string[]
  readonly unfilled: readonly string[]
}

/**
 * `{{ NAME }}`, the placeholders of arguments (`$ARGUMENTS`, `$ARGUMENTS[0]` and `$0`), and those of the folder of a skill.
 * A price such as `$0.10` is none. Names such as `$base` count only for a skill that has such an argument.
 */
const WRITTEN =
  /\{\{\s*(?<name>\w+)\s*\}\}|(?<escape>\\?)\$(?:ARGUMENTS(?:\[(?<place>\d{1,2})\])?(?!\w)|(?<short>\d{1,2})(?!\w|[.,]\d))|(?<base>\$\{(?:CLAUDE|LOADOUT)_SKILL_DIR\}|\$(?:CLAUDE|LOADOUT)_SKILL_DIR\b|\{baseDir\})|(?<mark>\\?)\$(?!(?:CLAUDE|LOADOUT)_SKILL_DIR\b)(?<argument>[A-Za-z_][\w\-]*)(?![\w\-\[])/gv

/**
 * Replaces each `{{ NAME }}` with its value. A name consists of ASCII letters, digits and `_`.
 *
 * Later scopes win: give environment, then workspace, then call. The text is replaced in one pass:
 * a value that contains `{{ X }}` or `$&` is inserted unchanged.
 *
 * A placeholder after a backslash loses the backslash and stays, as in Claude Code. Short ones in code stay: there they
 * are those of a shell or of a program such as awk.
 *
 * @param given the arguments for the placeholders of a skill's text; null when nobody gave any, and absent for a
 *   text that has no placeholders. A text without `$0` counts the short ones from `$1`
 * @param skill the folder of a skill, for `${CLAUDE_SKILL_DIR}` and other names of clients for it, and the names of its
 *   arguments, in their order
 */
export function substituteVariables(
  text: string,
  scopes: readonly VariableScope[],
  given?: string | null,
  { baseDirectory, arguments: names = [] }: PlaceholderFacts = {},
): Substitution {
  const used = new Set<string>()
  const unknown = new Set<string>()
  const filled = new Set<string>()
  const unfilled = new Set<string>()
  // Split at blanks, as a shell does: quotes keep words together, and are removed.
  const words = ((given ?? '').match(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/gv) ?? []).map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/gv, '$1$2'),
  )
  const short = given === undefined ? [] : shortPlaceholders(text)
  const inCode = new Set(short.flatMap((one) => (one.isCode ? one.at : [])))
  const first = short.some(({ name, isCode }) => name === '$0' && !isCode) ? 0 : 1
  // One name may begin with another.
  const longest = names.toSorted((a, b) => b.length - a.length)
  const substituted = text.replaceAll(WRITTEN, (written, ...rest) => {
    const [offset, , groups] = rest.slice(-3) as [
      number,
      string,
      Record<string, string | undefined>,
    ]
    const { name, escape, place, short: digits, base, argument: named, mark } = groups
    if (base !== undefined) return baseDirectory ?? written
    if (name === undefined) {
      const own =
        named === undefined ? undefined : longest.find((one) => `${named}-`.startsWith(`${one}-`))
      if (given === undefined || (named !== undefined && own === undefined)) return written
      if (escape || mark) return written.slice(1)
      if (digits !== undefined && (given === null || inCode.has(offset))) return written
      const at =
        own === undefined
          ? (place ?? (digits === undefined ? undefined : Number(digits) - first))
          : names.indexOf(own)
      const argument = at === undefined ? given : words[Number(at)]
      const isFilled = argument !== undefined && argument !== null
      ;(isFilled ? filled : unfilled).add(own === undefined ? written : `$${own}`)
      return isFilled ? argument + (named?.slice(own?.length) ?? '') : written
    }
    let value: string | undefined
    for (const scope of scopes) value = valueIn(scope, name) ?? value
    if (value === undefined) unknown.add(name)
    else used.add(name)
    return value ?? written
  })
  return {
    text: substituted,
    used: [...used],
    unknown: [...unknown],
    filled: [...filled],
    unfilled: [...unfilled],
  }
}

/** The facts of a skill that placeholders in its text stand for. */
interface PlaceholderFacts {
  readonly baseDirectory?: string
  readonly arguments?: readonly string[]
}

/** Returns true for the text of a skill that takes arguments. */
export function takesArguments(text: string, names: readonly string[] = []): boolean {
  if (names.length > 0) return true
  if (!text.includes('$')) return false
  const all = [...text.matchAll(WRITTEN)]
  const isTaken = ({ 0: written, groups = {} }: RegExpExecArray) =>
    written.startsWith('$ARGUMENTS') && groups['escape'] === ''
  return all.some(isTaken) || shortPlaceholders(text).some(({ isCode }) => !isCode)
}

/** A placeholder such as `$1`, which is not escaped. */
interface ShortPlaceholder {
  readonly name: string
  readonly at: number
  /** True in the code of a Markdown text. */
  readonly isCode: boolean
}

/** Finds the short placeholders of arguments in a Markdown text. */
export function shortPlaceholders(text: string): readonly ShortPlaceholder[] {
  const found = [...text.matchAll(WRITTEN)].filter(
    ({ groups = {} }) => groups['short'] !== undefined && groups['escape'] === '',
  )
  if (found.length === 0) return []
  const isCode = markdownCode(text)
  return found.map(({ 0: name, index: at }) => ({ name, at, isCode: isCode(at) }))
}

function valueIn(scope: VariableScope, name: string): string | undefined {
  if (scope instanceof Map) return scope.get(name)
  return Object.hasOwn(scope, name) ? (scope as Readonly<Record<string, string>>)[name] : undefined
}

/** The variables of an environment that may be used. */
export interface EnvironmentSelection {
  readonly names: readonly string[]
  /** Prefixes of further allowed names; an empty prefix allows none. */
  readonly prefix?: string | readonly string[]
}

/** Returns the allowed part of an environment as a scope. The caller supplies the environment. */
export function selectEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { names, prefix = [] }: EnvironmentSelection,
): ReadonlyMap<string, string> {
  const allowed = new Set(names)
  const prefixes = (typeof prefix === 'string' ? [prefix] : prefix).filter((one) => one !== '')
  const selected = new Map<string, string>()
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue
    if (allowed.has(name) || prefixes.some((one) => name.startsWith(one))) selected.set(name, value)
  }
  return selected
}

/** A part of a text, from its first character to the one after its last. */
type TextRange = readonly [start: number, end: number]

/**
 * Returns a function that says whether a place of a Markdown text is in code: a block between fences, with its fences, or a
 * span between backquotes. A block without an end goes to the end of the text; a span ends in its paragraph. Indented
 * blocks are not found. Places have to be asked in order.
 */
export function markdownCode(text: string): (place: number) => boolean {
  const ranges = codeRanges(text)
  let next = 0
  return (place) => {
    while ((ranges[next]?.[1] ?? Infinity) <= place) next += 1
    return (ranges[next]?.[0] ?? Infinity) <= place
  }
}

function codeRanges(text: string): readonly TextRange[] {
  const ranges: TextRange[] = []
  let paragraph = 0
  let fence: { readonly mark: string; readonly start: number } | null = null
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at) + 1 || text.length
    const written = text.slice(at, end)
    const [, sign = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(written) ?? []
    // Backquotes on the line make it a span.
    const mark = sign.startsWith('`') && info.includes('`') ? '' : sign
    if (fence !== null) {
      if (mark.startsWith(fence.mark) && info.trim() === '') {
        ranges.push([fence.start, end])
        fence = null
        paragraph = end
      }
    } else if (mark !== '' || written.trim() === '') {
      ranges.push(...codeSpans(text, paragraph, at))
      paragraph = end
      if (mark !== '') fence = { mark, start: at }
    }
    at = end
  }
  if (fence !== null) return [...ranges, [fence.start, text.length]]
  return [...ranges, ...codeSpans(text, paragraph, text.length)]
}

/** Finds the code spans of a paragraph: each ends at as many backquotes as it starts with. */
function codeSpans(text: string, start: number, end: number): readonly TextRange[] {
  const marks = [...text.slice(start, end).matchAll(/`+/g)]
  const latest = new Map<number, number>()
  const closes = marks.map(() => -1)
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const length = marks[index]?.[0].length ?? 0
    closes[index] = latest.get(length) ?? -1
    latest.set(length, index)
  }
  const ranges: TextRange[] = []
  for (let index = 0; index < marks.length; index += 1) {
    const [mark, close] = [marks[index], marks[closes[index] ?? -1]]
    if (mark === undefined || close === undefined) continue
    ranges.push([start + mark.index, start + close.index + close[0].length])
    index = closes[index] ?? index
  }
  return ranges
}
