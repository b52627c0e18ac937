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
 * `{{ NAME }}`, and the placeholders of arguments: `$ARGUMENTS`, `$ARGUMENTS[0]` and `$0`, unless after a backslash.
 */
const WRITTEN =
  /\{\{\s*(?<name>\w+)\s*\}\}|\\?\$(?:ARGUMENTS(?:\[(?<place>\d{1,2})\])?|(?<short>\d{1,2}))(?!\w)/gv

/**
 * Replaces each `{{ NAME }}` with its value. A name consists of ASCII letters, digits and `_`.
 *
 * Later scopes win: give environment, then workspace, then call. The text is replaced in one pass:
 * a value that contains `{{ X }}` or `$&` is inserted unchanged.
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
  const first = /(?:^|[^\\])\$0(?!\w)/v.test(text) ? 0 : 1
  const substituted = text.replaceAll(WRITTEN, (written, ...rest) => {
    const { name, place, short } = rest.at(-1) as Record<string, string | undefined>
    if (written.startsWith('\\')) return written
    if (name === undefined) {
      if (given === undefined || (given === null && short !== undefined)) return written
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
