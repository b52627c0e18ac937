import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exportLog } from '../../../src/connections/logs/jsonl/export-lines.ts'
import { importLog } from '../../../src/connections/logs/jsonl/import-session.ts'
import { readJsonlLog } from '../../../src/connections/logs/jsonl/open-log-file.ts'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { LOG_FORMAT } from '../../../src/engine/model/workspace-event.ts'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import { readEntry, upgradeEvent, UPGRADES } from '../../../src/workspace/log/stored-entry.ts'

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url))
const SESSION = 'format-1'

let folder = ''
/** A copy of a fixture: opening a database writes to it. */
const copyOf = (name: string): string => {
  copyFileSync(join(FIXTURES, name), join(folder, name))
  return join(folder, name)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-upgrade-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const openLines = async () => {
  const log = await readJsonlLog(join(FIXTURES, 'format-1.jsonl'))
  if (log === null) throw new Error('The fixture is gone.')
  return log
}

const LOGS = [
  { kind: 'JSON Lines', open: openLines },
  { kind: 'SQLite', open: () => openSqliteLog(copyOf('format-1.sqlite')) },
]

describe('a session of format 1', () => {
  const { policy, ...rest } = JSON.parse(
    readFileSync(join(FIXTURES, 'format-1.state.json'), 'utf8'),
  ) as { policy: object }

  test.each(LOGS)('in $kind folds to the state its own version had', async ({ open }) => {
    const entries = await (await open()).read(SESSION)
    expect(entries).toHaveLength(97)
    expect(fold(entries)).toMatchObject(rest)
  })

  test.each(LOGS)('in $kind keeps the policy it had, in the shape of today', async ({ open }) => {
    const entries = await (await open()).read(SESSION)
    expect(policy).toEqual({
      mode: 'voice',
      deny: [],
      ask: ['careful'],
      callsPerTurn: { retrieval: 1 },
    })
    expect(fold(entries).policy).toEqual({
      mode: 'voice',
      deny: [],
      ask: ['careful'],
      allow: [],
      allowedTools: 'ignore',
      callsPerTurn: { retrieval: 1 },
      limits: { callsPerTurn: { retrieval: 1 }, latencyMs: {}, promptTier: 'full' },
    })
    expect(entries[0]?.event).toMatchObject({ type: 'session.opened', format: LOG_FORMAT })
  })

  test.each(LOGS)(
    'in $kind goes on in the format of today, from any entry on',
    async ({ open }) => {
      const log = await open()
      const before = await log.read(SESSION)
      const turn = { type: 'turn.begun' as const, turn: 99 }
      const entry = { seq: before.length, at: 1, cause: { by: 'user' as const }, event: turn }
      await log.append(SESSION, before.length, [entry])
      expect(await log.read(SESSION)).toEqual([...before, entry])
      expect(await log.read(SESSION, 1)).toEqual([...before.slice(1), entry])
      expect(fold([...before, entry]).turn).toBe(99)
    },
  )

  test('leaves in the format of today, and comes in the same', async () => {
    const log = await openLines()
    const text = await exportLog(log, SESSION)
    expect(text.split('\n')[0]).toContain(`"format":${LOG_FORMAT}`)
    expect(importLog(text).entries).toEqual(await log.read(SESSION))
    const old = readFileSync(join(FIXTURES, 'format-1.jsonl'), 'utf8')
    expect(importLog(old).entries).toEqual(await log.read(SESSION))
  })
})

test('there is an upgrade from every format before this one', () => {
  expect(UPGRADES).toHaveLength(LOG_FORMAT - 1)
})

test.each([
  {
    what: 'a policy without limits gets none',
    event: {
      type: 'policy.changed',
      policy: { mode: 'text', deny: ['a'], ask: [], callsPerTurn: {} },
    },
    policy: {
      mode: 'text',
      deny: ['a'],
      ask: [],
      allow: [],
      allowedTools: 'ignore',
      limits: { callsPerTurn: {}, latencyMs: {}, promptTier: 'full' },
    },
  },
  {
    what: 'a policy that nobody could read stays what it is',
    event: { type: 'session.opened', format: 1, policy: null },
    policy: null,
  },
])('$what', ({ event, policy }) => {
  expect(upgradeEvent(event, 1)).toEqual({
    ...event,
    ...('format' in event && { format: LOG_FORMAT }),
    policy,
  })
})

test('an upgrade accepts any stored value, and does not change it', () => {
  const event = fc.record({
    type: fc.constantFrom('session.opened', 'policy.changed', 'turn.begun', '__proto__'),
    policy: fc.jsonValue(),
  })
  fc.assert(
    fc.property(event, (given) => {
      const before = structuredClone(given)
      expect(upgradeEvent(given, 1).type).toBe(given.type)
      expect(given).toEqual(before)
    }),
  )
})

describe('an entry of a later format stops the reader', () => {
  const entry = { seq: 4, at: 0, cause: { by: 'host' } }
  const turn = { type: 'turn.begun', turn: 1 }
  test.each([
    { what: 'by its own number', value: { ...entry, format: LOG_FORMAT + 1, event: turn } },
    {
      what: 'by the number of the opening',
      value: { ...entry, event: { type: 'session.opened', format: LOG_FORMAT + 1 } },
    },
  ])('$what, with the place and the last good entry', ({ value }) => {
    expect(() => readEntry(value, 4, { session: 's1', file: 'run.jsonl' })).toThrow(
      expect.objectContaining({
        code: 'LOG_FORMAT',
        message: `Entry 4 of session "s1" in run.jsonl is of format ${LOG_FORMAT + 1}; this version reads formats up to ${LOG_FORMAT}.`,
        facts: {
          session: 's1',
          file: 'run.jsonl',
          seq: 4,
          lastGoodSeq: 3,
          expected: LOG_FORMAT,
          found: LOG_FORMAT + 1,
        },
      }),
    )
  })

  test.each([0, -1, 1.5, '2', null])('and one of format %j is no entry', (format) => {
    expect(readEntry({ ...entry, format, event: turn }, 4)).toBeUndefined()
  })
})
