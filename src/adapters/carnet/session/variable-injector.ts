const DEFAULT_PREFIXES = ['CARNET_', 'PUBLIC_']

/** What a variable in a text looks like; a name is upper case. */
const VARIABLE = /\{\{\s*([A-Z_][A-Z0-9_]*)\s*\}\}/g

/**
 * Puts values where `{{ NAME }}` stands: those of the call first, then those it was made with, then
 * environment variables whose name has an allowed prefix. A name that nobody has stays as written.
 *
 * One pass: a value that itself holds `{{ X }}` or `$&` is put in as it is. The environment is read
 * when a text asks for a name, so it is as it is by then. An empty prefix allows nothing.
 */
export class VariableInjector {
  readonly #variables: Readonly<Record<string, string>>
  readonly #prefixes: readonly string[]

  constructor(options: { variables?: Record<string, string>; envPrefixes?: string[] } = {}) {
    this.#variables = options.variables ?? {}
    this.#prefixes = (options.envPrefixes ?? DEFAULT_PREFIXES).filter((prefix) => prefix !== '')
  }

  inject(content: string, additionalVariables: Record<string, string> = {}): string {
    return content.replace(
      VARIABLE,
      (written, name: string) => this.#valueOf(name, additionalVariables) ?? written,
    )
  }

  hasVariables(content: string): boolean {
    return content.search(VARIABLE) !== -1
  }

  #valueOf(name: string, ofCall: Readonly<Record<string, string>>): string | undefined {
    for (const scope of [ofCall, this.#variables]) {
      if (Object.hasOwn(scope, name)) return String(scope[name])
    }
    const isAllowed = this.#prefixes.some((prefix) => name.startsWith(prefix))
    return isAllowed ? process.env[name] : undefined
  }
}
