import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMemoryLog, replaySession, VirtualWorkspace } from 'loadout'
import { afterEach, expect, test, vi } from 'vitest'
import { importLog } from '../../../src/connections/logs/jsonl/import-session.ts'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import { createCatalog } from '../../../src/entries/index.ts'
import { aSkill } from '../a-workspace.ts'
import { someEntries } from '../../../src/connections/logs/contract/event-log-case.ts'

const RECORDED = fileURLToPath(new URL('./fixtures/format-1.jsonl', import.meta.url))
const text = readFileSync(RECORDED, 'utf8')
const { entries } = importLog(text)

afterEach(() => vi.restoreAllMocks())

test('a replay has every state that the session had', () => {
  const { stateAt } = replaySession(entries)
  for (const { seq } of entries) expect(stateAt(seq)).toEqual(fold(entries.slice(0, seq + 1)))
  expect(stateAt()).toEqual(fold(entries))
})

test('it is the same under another clock and with other dice', async () => {
  const catalog = await createCatalog({ skills: [aSkill('research')] })
  const live = await VirtualWorkspace.open({ catalog, log: createMemoryLog() })
  await live.activateSkill('research')
  await live.callTool('research_tool', {})
  const history = JSON.parse(JSON.stringify(await live.entries())) as unknown[]
  const fail = () => {
    throw new Error('a replay asked for it')
  }
  vi.spyOn(Date, 'now').mockImplementation(fail)
  vi.spyOn(Math, 'random').mockImplementation(fail)
  vi.spyOn(performance, 'now').mockImplementation(fail)
  const { stateAt } = replaySession(history)
  vi.restoreAllMocks()
  expect(stateAt()).toEqual(live.state)
})

test('entries of an earlier format are replayed like current ones, in the form in which they are stored', () => {
  const stored = text
    .split('\n')
    .filter((line) => line.startsWith('{"entry"'))
    .map((line) => (JSON.parse(line) as { entry: unknown }).entry)
  expect(replaySession(stored).entries).toEqual(entries)
})

test('a long session has its states near at hand', () => {
  const long = someEntries(0, 1_000)
  const { stateAt } = replaySession(long)
  for (const seq of [0, 1, 255, 256, 257, 511, 512, 998, 999]) {
    expect(stateAt(seq)).toEqual(fold(long.slice(0, seq + 1)))
  }
})

test('a session without entries is one that nobody opened', () => {
  expect(replaySession([]).stateAt()).toEqual(fold([]))
})

test.each([-1, 97, 0.5, Number.NaN])('there is no state after entry %d', (seq) => {
  expect(() => replaySession(entries).stateAt(seq)).toThrow(
    expect.objectContaining({ code: 'ENTRY_UNKNOWN' }),
  )
})

test.each([
  { what: 'nothing', given: [null], code: 'LOG_DAMAGED' },
  { what: 'a gap', given: [entries[0], entries[2]], code: 'LOG_DAMAGED' },
  {
    what: 'an unknown event',
    given: [{ ...entries[0], event: { type: 'x' } }],
    code: 'LOG_UNKNOWN_EVENT',
  },
  { what: 'a later format', given: [{ ...entries[0], format: 99 }], code: 'LOG_FORMAT' },
])('$what is refused: $code', ({ given, code }) => {
  expect(() => replaySession(given)).toThrow(expect.objectContaining({ code }))
})
