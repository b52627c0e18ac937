import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openScenarioHost } from '../../../src/cli/commands/test-command.ts'
import { readScenario } from '../../../src/project/scenarios/read-scenario.ts'
import { runScenario } from '../../../src/project/scenarios/run-scenario.ts'
import { PLANTED_FAULTS } from './planted-faults.ts'

const WORKBENCH = join(import.meta.dirname, '../../../examples/workbench')
const FOLDER = join(WORKBENCH, 'scenarios')
const ENDING = '.scenario.yaml'

const CONTEXT = { cwd: WORKBENCH, env: {}, trustFile: join(WORKBENCH, 'none') }

async function workbench() {
  const options = { trust: true, json: true } as const
  return openScenarioHost(WORKBENCH, options, CONTEXT as Parameters<typeof openScenarioHost>[2])
}

async function scenarioNamed(name: string) {
  const read = readScenario(await readFile(join(FOLDER, name + ENDING), 'utf8'))
  if (!read.ok) throw new Error(`${name}: ${JSON.stringify(read.faults)}`)
  return read.scenario
}

test('each scenario of the workbench passes, and catches the fault that is planted for it', async () => {
  const files = await readdir(FOLDER)
  const names = files
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
  expect(names.length).toBeGreaterThanOrEqual(40)
  expect(Object.keys(PLANTED_FAULTS).sort()).toEqual(names.sort())
  const host = await workbench()
  const wrong: string[] = []
  for (const name of names) {
    const scenario = await scenarioNamed(name)
    const sound = await runScenario(scenario, host)
    if (!sound.ok) wrong.push(`${name} fails: ${JSON.stringify(sound.steps)}`)
    const faulty = await runScenario(scenario, PLANTED_FAULTS[name]?.(host) ?? host)
    if (faulty.ok) wrong.push(`${name} does not catch its fault`)
  }
  expect(wrong).toEqual([])
})

test.each([
  ['scenario: 2\nname: a\nsteps: [{}]', 1, 'scenario: '],
  ['scenario: 1\nname: a\nsteps:\n  - user: hello\n  - exepct: { ok: true }', 5, 'exepct'],
  ['scenario: 1\nname: a\nsteps:\n  - expect: { tokens: many }', 4, 'steps.0.expect.tokens'],
  ['scenario: 1\nname: [', 2, 'Not valid YAML'],
  ['', 1, ''],
])('a file that is no scenario is refused with its line: %j', (text, line, message) => {
  const read = readScenario(text)
  expect(read).toMatchObject({ ok: false })
  const faults = read.ok ? [] : read.faults
  expect(faults[0]).toMatchObject({ line, message: expect.stringContaining(message) })
})
