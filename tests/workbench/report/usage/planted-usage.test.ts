import fc from 'fast-check'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { referencedDefinitions } from '../../../../src/entries/adapter.ts'
import {
  type ContentHash,
  createCatalog,
  createMemoryLog,
  defineSkill,
  type EventLog,
  type JsonValue,
  VirtualWorkspace,
} from '../../../../src/entries/index.ts'
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
  return summariseFiles(planted.map((one) => [transcriptPath(one), writeSession(one)] as const))
}

async function summariseFiles(
  files: readonly (readonly [path: string, text: string])[],
): Promise<readonly SessionUsage[]> {
  const folder = await temporaryFolder(Object.fromEntries(files))
  const summaries: SessionUsage[] = []
  for (const [path] of files) {
    const log = await readTranscript(join(folder, path))
    if (log !== null) summaries.push(...(await summariseLog(log)))
  }
  return summaries
}

async function summariseLog(log: EventLog): Promise<readonly SessionUsage[]> {
  const summaries: SessionUsage[] = []
  for (const { session } of await log.list()) {
    const entries = await log.read(session)
    const stored = new Map<ContentHash, JsonValue>()
    for await (const [hash, value] of referencedDefinitions(log, entries, new Set()))
      stored.set(hash, value)
    summaries.push(summariseSession(entries, { stored, count, redact: (text) => text }))
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

test('a phrase with which another message would find the skill is not proposed', async () => {
  const summaries = await summarise(plantSessions(23, 16))
  const other = { entry: 99, text: 'Are bolts on the shelf?', loaded: ['map-tiles'], missed: null }
  const confusing = summaries.map((one) => ({ ...one, messages: [...one.messages, other] }))
  const kinds = (sessions: readonly SessionUsage[]) =>
    usageTotals(sessions).proposals.map(({ kind }) => kind)
  expect(kinds(summaries)).toContain('phrases')
  expect(kinds(confusing)).not.toContain('phrases')
})

test('a part of a session that the person went back from is counted once', async () => {
  const [planted] = plantSessions(9, 1)
  if (planted === undefined) throw new Error('A session is planted.')
  const text = writeSession(planted)
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const last = lines.findLast(
    ({ message }) => message?.content === 'Please go on, and draw a line.',
  )
  const again = (uuid: string, parentUuid: string, message: object) => ({
    ...last,
    type: uuid === 'x1' ? 'user' : 'assistant',
    uuid,
    parentUuid,
    timestamp: new Date(Date.UTC(2026, 10, 2)).toISOString(),
    message,
  })
  const usage = { input_tokens: 10, cache_read_input_tokens: 5_000, output_tokens: 5 }
  const answer = { id: 'x', role: 'assistant', model: 'scripted-1', content: [], usage }
  const branch = [
    again('x1', last.parentUuid, { role: 'user', content: 'Do something else.' }),
    again('x2', 'x1', answer),
  ]
  const whole = `${text}${branch.map((line) => `${JSON.stringify(line)}\n`).join('')}`
  const [plain, forked] = [await summarise([planted]), await summariseFiles([['a.jsonl', whole]])]
  const totals = usageTotals(mergeSessions(forked))
  expect(forked).toHaveLength(2)
  expect(totals.requests).toBe(planted.requests.length + 1)
  const loads = (sessions: readonly SessionUsage[]) =>
    usageTotals(sessions)
      .skills.map(({ name, loads }) => `${name} ${loads}`)
      .toSorted()
  expect(loads(forked)).toEqual(loads(plain))
})

test('a session of Loadout is counted by the names that its model knows', async () => {
  const log = createMemoryLog()
  const skill = { name: 'orders', displayName: 'All Orders', description: 'Finds orders.' }
  const catalog = await createCatalog({
    skills: [defineSkill({ ...skill, instructions: 'Look them up.' })],
  })
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 'own' })
  await workspace.activateSkill('orders')
  await workspace.beginStep()
  await workspace.close()
  const [usage] = await summariseLog(log)
  expect(usage).toMatchObject({ session: 'own', client: 'loadout', requests: 1 })
  expect(usage?.skills).toMatchObject([{ name: 'orders', loads: 1, named: 1, requests: 1 }])
})

test('without the counts of a provider, misses are estimated from what changed in the requests', async () => {
  const planted = plantSessions(17, 24).filter(({ client }) => client === 'claude-code')
  const expected = planted.flatMap(({ misses }) => misses.filter(({ cause }) => cause !== 'time'))
  const files = planted.map((one) => {
    const lines = writeSession(one)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const { message } of lines) delete message?.usage
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    return [transcriptPath(one), text] as const
  })
  const misses = (await summariseFiles(files)).flatMap((one) => one.misses)
  expect(misses.map(({ cause, who, isEstimate }) => [cause, who, isEstimate]).toSorted()).toEqual(
    expected.map(({ cause, who }) => [cause, who, true]).toSorted(),
  )
  expect(new Set(misses.map(({ cause }) => cause)).size).toBeGreaterThan(3)
  expect(misses.every(({ tokens, price }) => tokens > 0 && price > 0)).toBe(true)
})

test('a subagent is counted with the session that began it, and once when its file is read alone, too', async () => {
  const [main, agent] = plantSessions(19, 2)
  if (main === undefined || agent === undefined) throw new Error('Two sessions are planted.')
  const own = writeSession(agent).replaceAll(
    `"sessionId":"${agent.session}"`,
    '"sessionId":"planted-0"',
  )
  const begun = own.replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"a1"')
  const files = [
    ['planted-0.jsonl', writeSession(main)],
    ['planted-0/subagents/agent-a1.jsonl', begun],
  ] as const
  const both = await summariseFiles(files)
  for (const sessions of [both, both.toReversed()]) {
    const { subagents, requests, ...totals } = usageTotals(mergeSessions(sessions))
    expect([totals.sessions, subagents]).toEqual([1, 1])
    expect(requests).toBe(main.requests.length + agent.requests.length)
  }
})
