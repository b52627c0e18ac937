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
 * A price such as `$0.10` is none.
 */
const WRITTEN =
  /\{\{\s*(?<name>\w+)\s*\}\}|(?<escape>\\?)\$(?:ARGUMENTS(?:\[(?<place>\d{1,2})\])?|(?<short>\d{1,2}))(?!\w|[.,]\d)|(?<base>\$\{(?:CLAUDE|LOADOUT)_SKILL_DIR\}|\$(?:CLAUDE|LOADOUT)_SKILL_DIR\b|\{baseDir\})/gv

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
 * @param folder the folder of a skill, for `${CLAUDE_SKILL_DIR}` and other names of clients for it
 */
export function substituteVariables(
  text: string,
  scopes: readonly VariableScope[],
  given?: string | null,
  folder?: string,
): Substitution {
  const used = new Set<string>()
  const unknown = new Set<string>()
  const filled = new Set<string>()
  const unfilled = new Set<string>()
  // Split at blanks, as a shell does: quotes keep words together, and are removed.
  const words = ((given ?? '').match(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/gv) ?? []).map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/gv, '$1$2'),
  )
  const code = given === undefined || !/\$\d/v.test(text) ? [] : markdownCode(text)
  const first = startsAtZero(text, code) ? 0 : 1
  const isCode = inRanges(code)
  const substituted = text.replaceAll(WRITTEN, (written, ...rest) => {
    const [offset, , groups] = rest.slice(-3) as [
      number,
      string,
      Record<string, string | undefined>,
    ]
    const { name, escape, place, short, base } = groups
    if (base !== undefined) return folder ?? written
    if (name === undefined) {
      if (given === undefined) return written
      if (escape !== '') return written.slice(1)
      if (short !== undefined && (given === null || isCode(offset))) return written
      const at = place ?? (short === undefined ? undefined : Number(short) - first)
      const argument = at === undefined ? given : words[Number(at)]
      const isFilled = argument !== undefined && argument !== null
      ;(isFilled ? filled : unfilled).add(written)
      return isFilled ? argument : written
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

/** Returns true for a text whose short placeholders start at `$0`. Those in code do not count. */
function startsAtZero(text: string, code: readonly TextRange[]): boolean {
  const isCode = inRanges(code)
  return [...text.matchAll(/(\\?)\$0(?!\w|[.,]\d)/gv)].some(
    ({ 1: escape, index }) => escape === '' && !isCode(index),
  )
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
export type TextRange = readonly [start: number, end: number]

/**
 * Finds the code of a Markdown text, in order: blocks between fences, with their fences, and spans between backquotes.
 * A block without an end goes to the end of the text; a span ends in its paragraph. Indented blocks are not found.
 */
export function markdownCode(text: string): readonly TextRange[] {
  const ranges: TextRange[] = []
  let paragraph = 0
  let fence: { readonly mark: string; readonly start: number } | null = null
  for (let at = 0; at < text.length;) {
    const line = /[^\n]*\n?/y
    line.lastIndex = at
    const [written = ''] = line.exec(text) ?? []
    const end = at + written.length
    const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(written) ?? []
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

/** Returns a function that says whether a place is in one of some ranges. Places have to be asked in order. */
export function inRanges(ranges: readonly TextRange[]): (place: number) => boolean {
  let next = 0
  return (place) => {
    while ((ranges[next]?.[1] ?? Infinity) <= place) next += 1
    return (ranges[next]?.[0] ?? Infinity) <= place
  }
}
