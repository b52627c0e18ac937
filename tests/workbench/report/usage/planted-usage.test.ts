import fc from 'fast-check'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { referencedDefinitions } from '../../../../src/entries/adapter.ts'
import type { ContentHash, JsonValue } from '../../../../src/entries/index.ts'
import { o200kCounter } from '../../../../src/entries/plan.ts'
import {
  mergeSessions,
  type SessionUsage,
} from '../../../../src/workbench/report/usage/session-usage.ts'
import { summariseSession } from '../../../../src/workbench/report/usage/summarise-session.ts'
import { usageTotals } from '../../../../src/workbench/report/usage/usage-totals.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { expectedUsage, reportedUsage } from './expected-usage.ts'
import { type PlantedSession, plantSessions } from './planted-sessions.ts'
import { transcriptPath, writeSession } from './write-sessions.ts'

const counter = await o200kCounter()
const count = (text: string) => counter.count(text)

/** Writes sessions as files, and summarises what is read of them. */
async function summarise(planted: readonly PlantedSession[]): Promise<readonly SessionUsage[]> {
  const files = planted.map((one) => [transcriptPath(one), writeSession(one)] as const)
  const folder = await temporaryFolder(Object.fromEntries(files))
  const summaries: SessionUsage[] = []
  for (const [path] of files) {
    const log = await readTranscript(join(folder, path))
    for (const { session } of (await log?.list()) ?? []) {
      const entries = (await log?.read(session)) ?? []
      const stored = new Map<ContentHash, JsonValue>()
      if (log)
        for await (const [hash, value] of referencedDefinitions(log, entries, new Set()))
          stored.set(hash, value)
      summaries.push(summariseSession(entries, { stored, count, redact: (text) => text }))
    }
  }
  return summaries
}

const seeds = fc.integer({ min: 1, max: 1_000_000 })

test('the figures that were planted in sessions are those of the report', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, fc.integer({ min: 5, max: 20 }), async (seed, number) => {
      const planted = plantSessions(seed, number)
      const totals = usageTotals(mergeSessions(await summarise(planted)))
      expect(reportedUsage(totals)).toEqual(expectedUsage(planted, count))
    }),
    { numRuns: 8 },
  )
})

test('sessions merge to the same report in any order and grouping, and once when they are read twice', async () => {
  const summaries = await summarise(plantSessions(7, 12))
  const report = JSON.stringify(usageTotals(mergeSessions(summaries)))
  const [some, others] = [summaries.slice(0, 5), summaries.slice(3)]
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...some, ...others], { minLength: some.length + others.length }),
      fc.integer({ min: 0, max: 14 }),
      (mixed, at) => {
        const grouped = mergeSessions(
          mergeSessions(mixed.slice(0, at)),
          mergeSessions(mixed.slice(at)),
        )
        expect(JSON.stringify(usageTotals(grouped))).toBe(report)
      },
    ),
  )
})

test('of a session that two files have, the longer one counts', async () => {
  const [one] = plantSessions(3, 1)
  if (one === undefined) throw new Error('A session is planted.')
  const shorter = { ...one, requests: one.requests.slice(0, 4) }
  const [long, short] = [await summarise([one]), await summarise([shorter])]
  expect(mergeSessions(short, long)).toEqual(long)
  expect(mergeSessions(long, short)).toEqual(long)
})

test('a proposal that makes the recorded sessions worse is not made', async () => {
  const summaries = await summarise(plantSessions(11, 12))
  const dear = summaries.map((one) => ({
    ...one,
    skills: one.skills.map((skill) => ({ ...skill, body: skill.body * 1_000 })),
  }))
  const pins = (sessions: readonly SessionUsage[]) =>
    usageTotals(sessions).proposals.filter(({ kind }) => kind === 'pin').length
  expect(pins(summaries)).toBeGreaterThan(3)
  expect(pins(dear)).toBe(0)
})
