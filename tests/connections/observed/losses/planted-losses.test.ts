import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { providerFacts, sessionUsage } from '../../../../src/entries/plan.ts'
import { describeLosses } from '../../../../src/workbench/report/facts/cause-of-loss.ts'
import { CAUSES, dice, FORMS, type Planted, plantLoss } from './planted-loss.ts'
import { writePlanted } from './write-planted.ts'

/** The number of planted losses; all 400 with CACHE_LOSSES=400. */
const COUNT = Number(process.env['CACHE_LOSSES'] ?? 60)

const folder = mkdtempSync(join(tmpdir(), 'loadout-losses-'))

/** Returns what is wrong with what is said of a session: nothing, or a line. */
async function faults(file: string, { at, expected }: Planted): Promise<readonly string[]> {
  const log = await readTranscript(file)
  const sessions = (await log?.list()) ?? []
  if (log === null || sessions.length !== 1) return [`${sessions.length} sessions`]
  const entries = await log.read(sessions[0]?.session ?? '')
  const losses = describeLosses(entries).map(({ step, segment, why }) => {
    return { step, segment: segment as string, why: why ?? '' }
  })
  const { steps } = sessionUsage(entries, providerFacts())
  const late = steps.flatMap(({ step, deviation }) =>
    deviation ? [{ step, segment: 'time', why: `${deviation.kind}: ${deviation.why}` }] : [],
  )
  const said = [...losses, ...late]
  const right = said.filter(
    ({ step, segment, why }) =>
      expected !== null &&
      step === (at ?? 0) + 1 &&
      segment === expected.segment &&
      expected.words.every((word) => why.includes(word)),
  )
  const isRight = expected === null || right.length === 1
  const wrong = said.filter((one) => !right.includes(one))
  return [
    ...(isRight ? [] : [`not said in step ${(at ?? 0) + 1}: ${JSON.stringify(expected)}`]),
    ...wrong.map((one) => `said: ${JSON.stringify(one)}`),
  ]
}

test(
  `of ${COUNT} losses planted in transcripts and HAR files, each is said with its part and its cause, and no other is`,
  { timeout: 600_000 },
  async () => {
    const table = new Map<string, { right: number; all: number }>()
    const wrong: string[] = []
    for (let seed = 0; seed < COUNT; seed += 1) {
      const cause = CAUSES[seed % CAUSES.length] ?? 'nothing'
      const form = FORMS[Math.floor(seed / CAUSES.length) % FORMS.length] ?? 'messages'
      const planted = plantLoss(cause, dice(seed), form)
      const file = join(folder, form === 'claude-code' ? `${seed}.jsonl` : `${seed}.har`)
      writeFileSync(file, writePlanted(planted.requests, form))
      const found = await faults(file, planted)
      const row = table.get(cause) ?? { right: 0, all: 0 }
      table.set(cause, { right: row.right + Number(found.length === 0), all: row.all + 1 })
      wrong.push(...found.map((one) => `${cause}, ${form}, seed ${seed}: ${one}`))
    }
    if (COUNT > 100) console.table(Object.fromEntries(table))
    expect(wrong).toEqual([])
  },
)
