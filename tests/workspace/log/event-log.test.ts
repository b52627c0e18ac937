import { describe, expect, test } from 'vitest'
import { createMemoryLog } from '../../../src/workspace/log/memory-log.ts'
import { readEntry } from '../../../src/workspace/log/stored-entry.ts'
import { eventLogContract } from '../../../src/entries/testing.ts'
import { someEntries } from '../../../src/connections/logs/contract/event-log-case.ts'

eventLogContract({ describe, expect, test }, 'A memory log', {
  sessions: 'many',
  follows: true,
  create: async () => {
    const log = createMemoryLog()
    return { log, again: async () => log }
  },
})

test('an entry is taken for what it is', () => {
  const [entry] = someEntries(4, 5)
  expect(readEntry(entry, 4)).toEqual(entry)
})

test.each([
  { what: 'null', value: null },
  { what: 'a list', value: [] },
  { what: 'another number', value: { ...someEntries(5, 6)[0] } },
  { what: 'no time', value: { ...someEntries(4, 5)[0], at: 'noon' } },
  { what: 'no cause', value: { ...someEntries(4, 5)[0], cause: 'host' } },
  { what: 'no event', value: { ...someEntries(4, 5)[0], event: null } },
  { what: 'an event without a type', value: { ...someEntries(4, 5)[0], event: {} } },
])('a value with $what is no entry 4', ({ value }) => {
  expect(readEntry(value, 4)).toBeUndefined()
})

test.each(['skill.learnt', 'constructor', '__proto__'])(
  'an event "%s" stops the reader',
  (type) => {
    const value = { ...someEntries(4, 5)[0], event: { type } }
    expect(() => readEntry(value, 4)).toThrow(
      expect.objectContaining({
        code: 'LOG_UNKNOWN_EVENT',
        facts: { seq: 4, lastGoodSeq: 3, type },
      }),
    )
  },
)
