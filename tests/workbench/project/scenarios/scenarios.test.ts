import { createCatalog, defineSkill, defineTool } from 'loadout'
import { fileTools } from 'loadout/node'
import { expect, test } from 'vitest'
import { readScenario } from '../../../../src/workbench/project/scenarios/read-scenario.ts'
import { runScenario } from '../../../../src/workbench/project/scenarios/run-scenario.ts'
import { PLANTED_FAULTS } from './planted-faults.ts'
import { workbenchHost, workbenchScenarios } from './workbench-scenarios.ts'

test('each scenario of the workbench passes, and catches the fault that is planted for it', async () => {
  const scenarios = await workbenchScenarios()
  expect(scenarios.size).toBeGreaterThanOrEqual(40)
  expect(Object.keys(PLANTED_FAULTS).sort()).toEqual([...scenarios.keys()].sort())
  const host = await workbenchHost()
  const wrong: string[] = []
  for (const [name, scenario] of scenarios) {
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

test('a step notes facts, and what it expects is judged after they are settled', async () => {
  const read = readScenario(`
scenario: 1
name: facts activate skills
stub: { Read: { data: docs/guide.md } }
steps:
  - note: { event: outage, paths: [other.md] }
    expect: { active: [incident], not-active: [source] }
  - user: Read it.
    model: [{ call: Read, with: { file_path: src/a.ts } }, { text: Done. }]
    expect: { active: [incident, source], prompt: [For TypeScript], exposed: [format] }
  - note: { event: outage, holds: false }
    expect: { not-active: [incident] }
`)
  expect(read).toMatchObject({ ok: true })
  if (!read.ok) return
  const format = defineTool({ name: 'format', description: 'Format.', execute: () => 'done' })
  const catalog = await createCatalog({
    skills: [
      defineSkill({ name: 'incident', description: 'For outages.', when: { event: ['outage'] } }),
      defineSkill({
        name: 'source',
        description: 'For sources.',
        instructions: 'For TypeScript.',
        tools: [format],
        when: { paths: ['src/**'] },
      }),
    ],
    tools: fileTools(),
  })
  const { ok, steps } = await runScenario(read.scenario, { catalog })
  expect(steps.flatMap(({ unmet }) => unmet)).toEqual([])
  expect(ok).toBe(true)
})
