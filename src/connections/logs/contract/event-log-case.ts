import {
  type ContentHash,
  type Entry,
  type EventLog,
  type JsonValue,
} from '../../../entries/index.ts'

/** An implementation under test. */
export interface EventLogCase {
  /** A new, empty log, and a way to open the same one again as another process would. */
  create(): Promise<{ readonly log: EventLog; again(): Promise<EventLog> }>
  /** The number of sessions that one log can hold. */
  readonly sessions: 'one' | 'many'
  /** The number of logs that can write at the same time; `many` when absent. */
  readonly writers?: 'one' | 'many'
  /** True when its sessions can be followed. */
  readonly follows: boolean
}

/* oxlint-disable typescript/no-explicit-any -- types of test runners, which differ */

/** Compares values, as `expect` of Vitest, Jest and Bun does. */
type Expect = (value: unknown) => any

/** The functions of a test runner that the contract uses. */
export interface TestTools {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
  readonly expect: Expect
}

/* oxlint-enable typescript/no-explicit-any */

/** Laws by their names. A law of something that a log cannot do holds for it. */
export type Laws = Readonly<Record<string, (log: EventLogCase, expect: Expect) => Promise<void>>>

/** Returns entries of a session from `from` up to and without `to`, no two alike. */
export function someEntries(from: number, to: number, note = ''): readonly Entry[] {
  return Array.from({ length: to - from }, (_, index) => ({
    seq: from + index,
    at: 1_000 + from + index,
    cause: { by: 'host' },
    event: { type: 'component.updated', component: 'notes', state: { note, at: from + index } },
  }))
}

/** Reads one definition of a log; undefined when it is not stored. */
export async function storedDefinition(
  { definitions }: Pick<EventLog, 'definitions'>,
  hash: string | undefined,
): Promise<JsonValue | undefined> {
  const [[, definition] = []] = await definitions.get([hash as ContentHash])
  return definition
}
