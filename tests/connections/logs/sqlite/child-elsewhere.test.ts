import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { aFamily, aMember, type FamilyChange, TOOLS } from './a-family.ts'

const CHANGER = fileURLToPath(new URL('./change-family-in-child.ts', import.meta.url))

/** `LAW_RUNS=1000 npx vitest run tests/connections/logs/sqlite/child-elsewhere.test.ts` for more. */
const RUNS = Number(process.env['LAW_RUNS'] ?? 100)

const session = fc.constantFrom('root' as const, 'parent' as const)

const rule = fc.array(fc.constantFrom('read', 'w*', 'wipe'), { maxLength: 2 })

const asks = fc.record({
  change: fc.oneof<fc.Arbitrary<FamilyChange>[]>(
    fc.record({ session, rules: fc.dictionary(fc.constantFrom('deny', 'ask', 'allow'), rule) }),
    fc.record({ session, mode: fc.constantFrom('text', 'careful') }),
  ),
  tool: fc.constantFrom(...TOOLS),
  door: fc.constantFrom('asksAbout', 'previewStep', 'beginStep', 'callTool'),
})

test('asked at once after another process changed what is above it, a child answers as its call, or says what it knows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-child-'))
  const file = join(folder, 'sessions.sqlite')
  const log = await openSqliteLog(file, { durability: 'os' })
  await (await aFamily(log)).close()
  const changer = spawn(process.execPath, [CHANGER, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: changer.stdout })[Symbol.asyncIterator]()
  const child = await aMember(log, 'child')
  const found = { right: 0, older: 0 }
  try {
    for (const { change, tool, door } of fc.sample(asks, { numRuns: RUNS, seed: 26 })) {
      changer.stdin.write(`${JSON.stringify(change)}\n`)
      const { value } = await answers.next()
      const last = JSON.parse(String(value)) as Readonly<Record<'root' | 'parent', number>>
      const said = child.explain(tool)
      const known = said.because.flatMap(({ text }) => entriesIn(text))
      const doors = {
        asksAbout: () => child.approvals.asksAbout(tool, {}),
        previewStep: async () => (await child.previewStep()).tools.map(({ name }) => name),
        beginStep: async () => (await child.beginStep()).tools.map(({ name }) => name),
        callTool: () => undefined,
      }
      const opened = await doors[door as keyof typeof doors]()
      // Whatever door was asked first, it read what is above.
      const read = child.explain(tool)
      const answer = await child.callTool(tool, {}, { caller: 'model' })
      const isAsked = !answer.ok && answer.error.type === 'CONFIRMATION_REQUIRED'
      const status = answer.ok || isAsked ? 'available' : answer.error.details['code']
      if (door === 'asksAbout') expect(opened).toBe(isAsked)
      if (Array.isArray(opened)) expect(opened.includes(tool)).toBe(status === 'available')
      if (door !== 'callTool') expect(read.status).toBe(status)
      expect(child.explain(tool).status).toBe(status)
      if (said.status === status) found.right += 1
      else {
        expect(known.some(([name, entry]) => entry < last[name])).toBe(true)
        found.older += 1
      }
    }
    changer.stdin.end()
    expect(await answers.next()).toMatchObject({ done: true })
  } finally {
    changer.kill()
    await child.close()
    await log.close()
    rmSync(folder, { recursive: true })
  }
  expect(found.right + found.older).toBe(RUNS)
  expect(Math.min(found.right, found.older)).toBeGreaterThan(RUNS / 20)
})

/** Returns the session and the entry that a reason names. */
function entriesIn(text: string): readonly ['root' | 'parent', number][] {
  const named = /"(root|parent)".* as of its entry (\d+)\./.exec(text)
  return named === null ? [] : [[named[1] as 'root' | 'parent', Number(named[2])]]
}
