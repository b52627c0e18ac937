/** Values by name, as a plain object or a map; only an object's own properties count. */
export type VariableScope = Readonly<Record<string, string>> | ReadonlyMap<string, string>

/** Text with its variables put in, and which they were, each once, in order of appearance. */
export interface Substitution {
  readonly text: string
  readonly used: readonly string[]
  /** Names no scope has; they stay in the text as written. */
  readonly unknown: readonly string[]
}

/**
 * Put values where `{{ NAME }}` stands; a name is ASCII letters, digits and `_`.
 *
 * Later scopes win: give environment, then workspace, then call. One pass: a value that itself
 * holds `{{ X }}` or `$&` is put in as it is.
 */
export function substituteVariables(text: string, scopes: readonly VariableScope[]): Substitution {
  const used = new Set<string>()
  const unknown = new Set<string>()
  const substituted = text.replaceAll(/\{\{\s*(\w+)\s*\}\}/gv, (written, name: string) => {
    const value = scopes.reduce<string | undefined>(
      (found, scope) => valueIn(scope, name) ?? found,
      undefined,
    )
    if (value === undefined) unknown.add(name)
    else used.add(name)
    return value ?? written
  })
  return { text: substituted, used: [...used], unknown: [...unknown] }
}

function valueIn(scope: VariableScope, name: string): string | undefined {
  if (scope instanceof Map) return scope.get(name)
  return Object.hasOwn(scope, name) ? (scope as Readonly<Record<string, string>>)[name] : undefined
}

/** Which variables of an environment may be used. */
export interface EnvironmentSelection {
  readonly names: readonly string[]
  /** Also every name that begins so, or with one of these; an empty one covers nothing. */
  readonly prefix?: string | readonly string[]
}

/** The allowed part of an environment, as a scope. The environment itself is the caller's. */
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

/** The same names with every value hidden: the scope to use where people look on. */
export function maskVariables(scope: VariableScope): ReadonlyMap<string, string> {
  const names = scope instanceof Map ? scope.keys() : Object.keys(scope)
  return new Map([...names].map((name) => [name, '••••']))
}
