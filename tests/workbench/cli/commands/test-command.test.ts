import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
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

test('--annotations names each expectation that does not hold, at its line', async () => {
  const cwd = await temporaryFolder({ ...tree, 'scenarios/bad.scenario.yaml': FAILING })
  const { code, stdout } = await runCommand(['test', '--trust', '--annotations'], { cwd })
  expect(code).toBe(1)
  expect(stdout.split('\n').filter((line) => line.startsWith('::'))).toEqual([
    expect.stringMatching(
      /^::error file=scenarios\/bad\.scenario\.yaml,line=4,title=echo is there from the start::exposed: expected/,
    ),
  ])
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

test('requests go through an adapter to a scripted server, and the verdicts are the same', async () => {
  const cwd = await temporaryFolder({ ...tree, 'scenarios/bad.scenario.yaml': FAILING })
  const alone = await runCommand(['test', '--trust', '--json'], { cwd })
  for (const adapter of ['ai-sdk', 'openai', 'openai-chat', 'anthropic']) {
    const through = await runCommand(['test', '--trust', '--json', '--adapter', adapter], { cwd })
    expect(through).toEqual(alone)
  }
})

test('with --model a real model answers, --repeat says how many runs passed, and --pass-rate how many have to', async () => {
  const said = PASSING.replace('- call', '- user: Load it.\n    call')
  const cwd = await temporaryFolder({ ...tree, 'scenarios/good.scenario.yaml': said })
  let asked = 0
  const server = await openWireServer({
    answers: ({ body }) => {
      const hasResult = JSON.stringify(body['messages']).includes('"role":"tool"')
      if (hasResult) return 'It is loaded.'
      asked += 1
      return asked === 2 ? 'No.' : [{ name: 'loadSkill', input: { skillName: 'alpha' } }]
    },
  })
  const argv = ['test', '--trust', '--model', `${server.url}/v1#local`, '--repeat', '3']
  const strict = await runCommand(argv, { cwd })
  expect(strict.code).toBe(1)
  expect(strict.stdout).toContain('FAIL alpha is loaded (2 of 3 runs passed)')
  expect(strict.stdout).toContain('Nothing was called or activated.')
  asked = 0
  const lenient = await runCommand([...argv, '--pass-rate', '0.6'], { cwd })
  expect(lenient.code).toBe(0)
  expect(lenient.stdout).toContain('ok   alpha is loaded (2 of 3 runs passed)')
  await server.close()
  const gone = await runCommand(argv, { cwd })
  expect(gone.code).toBe(1)
  expect(gone.stdout).toContain('good.scenario.yaml:1 ')
})

test.each([
  ['--model', 'nonsense'],
  ['--adapter', 'fetch'],
  ['--repeat', '0'],
  ['--pass-rate', '2'],
  ['--adapter', 'openai', '--model', 'http://localhost:1/v1#a'],
])('wrong usage ends with 2: %j', async (...argv) => {
  const cwd = await temporaryFolder(tree)
  expect((await runCommand(['test', '--trust', ...argv], { cwd })).code).toBe(2)
})

test('--init writes for each skill a scenario that holds, and leaves what exists', async () => {
  const manual =
    '---\nname: ship\ndescription: Ship it.\ndisable-model-invocation: true\n---\n\nGo.\n'
  const fold =
    '---\nname: fold\ndescription: Folds a page of paper. Use when asked.\n---\n\nFold.\n'
  const kept = 'scenario: 1\nname: mine\nsteps: [{ activate: kept }]\n'
  const cwd = await temporaryFolder({
    'skills/fold/SKILL.md': fold,
    'skills/ship/SKILL.md': manual,
    'skills/kept/SKILL.md': skillText('kept'),
    'scenarios/kept.scenario.yaml': kept,
  })
  const { code, stdout } = await runCommand(['test', '--init'], { cwd })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      '+ scenarios/fold.scenario.yaml\n+ scenarios/ship.scenario.yaml\n\nRun them: loadout test\n',
  })
  const read = (name: string) => readFile(join(cwd, `scenarios/${name}.scenario.yaml`), 'utf8')
  expect(await read('fold')).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=node_modules/loadout/dist/scenario.schema.json
    scenario: 1
    name: fold is found, loaded, and costs at most 400 tokens
    steps:
      - activate: fold
        expect:
          active:
            - fold
          tokens: 400
      - deactivate: fold
      - user: Folds a page of paper
        model:
          - call: loadSkill
            with:
              skillName: fold
          - text: Done.
        expect:
          found:
            - fold
          active:
            - fold
    "
  `)
  expect(await read('ship')).toContain('  - activate: ship\n')
  expect(await read('kept')).toBe(kept)
  expect(await runCommand(['test'], { cwd })).toMatchObject({ code: 0 })
  const changed = fold
    .replace('Folds a page of paper', 'Tears it')
    .replace('Fold.', 'x '.repeat(900))
  await writeFile(join(cwd, 'skills/fold/SKILL.md'), changed)
  const later = await runCommand(['test', '--filter', 'fold'], { cwd })
  expect(later).toMatchObject({ code: 1, stdout: expect.stringContaining('tokens') })
  expect((await runCommand(['test', '--init'], { cwd })).stdout).toBe(
    'Every skill has a scenario.\n',
  )
})

test('--init says of a skill that nothing finds, and of one that cannot be loaded', async () => {
  const same = (name: string) => `---\nname: ${name}\ndescription: Does it.\n---\n\nDo it.\n`
  const names = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg']
  const cwd = await temporaryFolder({
    ...Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, same(name)])),
    'loadout.config.json':
      '{"permissions":{"deny":[{"tool":"loadSkill","where":{"skillName":"aa"}}]}}',
  })
  const { code, stdout, stderr } = await runCommand(['test', '--init'], { cwd })
  expect(stderr).toBe('')
  expect(code).toBe(1)
  expect(stdout).toMatch(/aa\.scenario\.yaml\n(?: .*\n)* {2}active: /)
  expect(stdout).toContain('A search for its own words finds five other skills first.')
})
