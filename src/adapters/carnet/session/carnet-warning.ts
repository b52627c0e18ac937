import type { Entry } from '../../../engine/model/event.ts'

/** Something a developer may not have meant; each is an entry of the session's log. */
export interface CarnetWarning {
  /** The entry. */
  readonly seq: number
  /** `tool-name-clash`, `meta-tool-name`, `toolset-without-tools` or `skill-unknown`. */
  readonly code: string
  /** The tool, toolset or skill it is about. */
  readonly subject: string
  readonly message: string
  readonly hint: string
}

/** The warnings among the entries of a session. */
export function carnetWarnings(entries: readonly Entry[]): CarnetWarning[] {
  return entries.flatMap(({ seq, event }) => {
    if (event.type !== 'warning.given') return []
    const { code, subject, message, hint } = event
    return [{ seq, code, subject, message, hint }]
  })
}
