/** What an error carries besides its message. */
export interface WorkspaceErrorOptions {
  /** Values a program may want, so that nobody parses prose. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** What the reader can do about it, as a sentence. */
  readonly hint?: string
  readonly cause?: unknown
}

/**
 * A broken contract: a bad definition, a damaged log, a misuse of the interface.
 *
 * Outcomes a caller should expect (an unknown skill, a spent budget) are returned,
 * never thrown. `code` is stable and for programs; `message` is for people.
 */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
  readonly code: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly hint: string

  constructor(code: string, message: string, options: WorkspaceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.facts = options.facts ?? {}
    this.hint = options.hint ?? ''
  }

  /** True for an error of this library, also one from another copy of the package. */
  static is(value: unknown): value is WorkspaceError {
    return value instanceof Error && value.name === 'WorkspaceError' && 'code' in value
  }
}
