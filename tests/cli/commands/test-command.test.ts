import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const PASSING = `scenario: 1
name: alpha is loaded
steps:
  - call: loadSkill
    with: { skillName: alpha }
    expect: { ok: true, exposed: [echo] }
`

const FAILING = `scenario: 1
name: echo is there from the start
steps:
  - expect:
      exposed: [echo]
`

const tree = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  'scenarios/good.scenario.yaml': PASSING,
}

test('a scenario that fails names its line, what was expected and found, and the reason', async () => {
  const cwd = await temporaryFolder({ ...tree, 'scenarios/bad.scenario.yaml': FAILING })
  const { code, stdout } = await runCommand(['test', '--trust'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toMatchInlineSnapshot(`
    "FAIL echo is there from the start
         scenarios/bad.scenario.yaml:4 exposed
           - expected ["echo"]
           + found    ["loadSkill","loadSkillFile","unloadSkill"]
             echo is skill-inactive: #0 Skill "alpha" has not been activated since the session opened.
    ok   alpha is loaded
    2 scenarios, 3 expectations: 1 failed
    "
  `)
})

test('--json and --junit have the same verdicts', async () => {
  const cwd = await temporaryFolder({ ...tree, 'scenarios/bad.scenario.yaml': FAILING })
  const argv = ['test', '--trust', '--json', '--junit', 'results.xml']
  const { code, stdout } = await runCommand(argv, { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'echo is there from the start', ok: false, steps: [{ line: 4, unmet: [{}] }] },
    { name: 'alpha is loaded', ok: true },
  ])
  const junit = await readFile(join(cwd, 'results.xml'), 'utf8')
  expect(junit).toContain('<testsuite name="loadout" tests="2" failures="1">')
  expect(junit).toContain('expected [&quot;echo&quot;]')
})

test('--filter runs some of them, and nothing to run is a failure', async () => {
  const cwd = await temporaryFolder({ ...tree, 'scenarios/bad.scenario.yaml': FAILING })
  const run = (...argv: string[]) => runCommand(['test', '--trust', ...argv], { cwd })
  expect((await run('--filter', 'alpha')).code).toBe(0)
  expect((await run('--filter', 'bad.scenario')).code).toBe(1)
  const none = await run('--filter', 'gamma')
  expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('No scenario') })
  expect((await run('nowhere')).code).toBe(2)
})

test('a file that is no scenario, and an agent that does not exist, are failures with a place', async () => {
  const cwd = await temporaryFolder({
    ...tree,
    'scenarios/broken.scenario.yaml': `${PASSING}\n  - exepct: {}\n`,
    'scenarios/nobody.scenario.yaml': PASSING.replace('steps:', 'agent: nobody\nsteps:'),
  })
  const { code, stdout } = await runCommand(['test', '--trust'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toContain('broken.scenario.yaml:8 steps.1: ')
  expect(stdout).toContain('nobody.scenario.yaml:1 No agent is named "nobody".')
})
