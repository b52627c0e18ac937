/** The optional parts of a `WorkspaceError`. */
export interface WorkspaceErrorOptions {
  /** Values for programs, so that they do not have to parse the message. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** A sentence that says what the reader can do about the error. */
  readonly hint?: string
  readonly cause?: unknown
}

/**
 * A broken contract: a bad definition, a damaged log, a misuse of the API.
 *
 * Outcomes that a caller should expect (an unknown skill, a spent budget) are returned,
 * never thrown. `code` is stable and meant for programs; `message` is meant for people.
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

  /** Returns true for an error of this library, even one from another copy of the package. */
  static is(value: unknown): value is WorkspaceError {
    return value instanceof Error && value.name === 'WorkspaceError' && 'code' in value
  }
}
