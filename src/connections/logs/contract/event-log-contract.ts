import { ENTRY_LAWS } from './entry-laws.ts'
import { FOLLOW_LAWS } from './follow-laws.ts'
import { LIST_LAWS } from './list-laws.ts'
import type { EventLogCase, TestTools } from './event-log-case.ts'
import { STORED_LAWS } from './stored-laws.ts'

/**
 * Tests a log of your own: the behaviour of every `EventLog`, wherever it stores sessions.
 *
 *     eventLogContract({ describe, expect, test }, 'A log in Redis', { create, sessions: 'many', follows: false })
 *
 * @param tools those of the test runner, such as Vitest, Jest or Bun
 * @param name the name of the log, for the names of the tests
 * @param log how to make one, and what it can do
 */
export function eventLogContract(tools: TestTools, name: string, log: EventLogCase): void {
  const laws = { ...ENTRY_LAWS, ...STORED_LAWS, ...LIST_LAWS, ...(log.follows && FOLLOW_LAWS) }
  tools.describe(`${name}, as an event log,`, () => {
    for (const [law, holds] of Object.entries(laws)) {
      tools.test(law, () => holds(log, tools.expect))
    }
  })
}
