import { inRanges, markdownCode, type TextRange } from './markdown-code.ts'

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
 * `{{ NAME }}`, and the placeholders of arguments: `$ARGUMENTS`, `$ARGUMENTS[0]` and `$0`. A price such as `$0.10` is none.
 */
const WRITTEN =
  /\{\{\s*(?<name>\w+)\s*\}\}|(?<escape>\\?)\$(?:ARGUMENTS(?:\[(?<place>\d{1,2})\])?|(?<short>\d{1,2}))(?!\w|[.,]\d)/gv

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
 */
export function substituteVariables(
  text: string,
  scopes: readonly VariableScope[],
  given?: string | null,
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
    const { name, escape, place, short } = groups
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
  return [...text.matchAll(/(?<!\\)\$0(?!\w|[.,]\d)/gv)].some(({ index }) => !isCode(index))
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
