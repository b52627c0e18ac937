const DEFAULT_PREFIXES = ['CARNET_', 'PUBLIC_']

/** Matches a variable in a text; its name is upper case. */
const VARIABLE = /\{\{\s*([A-Z_][A-Z0-9_]*)\s*\}\}/g

/**
 * Substitutes variables `{{ NAME }}`: with values of the call first, then those of the instance,
 * then environment variables whose name has an allowed prefix. An unknown name is not changed.
 *
 * There is one pass: a value that contains `{{ X }}` or `$&` is inserted unchanged. The environment
 * is read whenever a text needs a name, so later changes count. An empty prefix allows nothing.
 */
export class VariableInjector {
  readonly #variables: Readonly<Record<string, string>>
  readonly #prefixes: readonly string[]

  constructor(options: { variables?: Record<string, string>; envPrefixes?: string[] } = {}) {
    this.#variables = options.variables ?? {}
    this.#prefixes = (options.envPrefixes ?? DEFAULT_PREFIXES).filter((prefix) => prefix !== '')
  }

  inject(content: string, additionalVariables: Record<string, string> = {}): string {
    return content.replace(VARIABLE, (written, name: string) => {
      for (const scope of [additionalVariables, this.#variables]) {
        if (Object.hasOwn(scope, name)) return String(scope[name])
      }
      const isAllowed = this.#prefixes.some((prefix) => name.startsWith(prefix))
      return (isAllowed ? process.env[name] : undefined) ?? written
    })
  }

  hasVariables(content: string): boolean {
    return content.search(VARIABLE) !== -1
  }
}
