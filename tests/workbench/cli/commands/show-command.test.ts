import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const TREE = {
  'skills/alpha/SKILL.md': skillText('alpha', 'license: MIT\nmetadata:\n  loadout.toolsets: web\n'),
  'skills/alpha/references/guide.md': 'Guide.\n',
  ...toolTree('skills/alpha/tools/echo'),
  'skills/beta/SKILL.md': skillText('beta'),
  ...toolTree('skills/beta/tools/echo', null),
  'skills/beta/tools/echo/doc_summary.md': 'Another \u001b[31mecho.\u202e\nReally.\n',
  'vendor/alpha/SKILL.md': skillText('alpha'),
  'toolsets/web/TOOLSET.md': '---\nname: web\ndescription: The web.\ntools: fetch\n---\nUse it.\n',
  ...toolTree('tools/fetch'),
  'agents/some/AGENT.md': '---\nname: some\ndescription: D.\n---\nYou are some.',
  'rules/web.md': 'Be polite.\n',
}
const PATHS = ['.']

async function shown(...argv: string[]) {
  const cwd = await temporaryFolder(TREE)
  const { code, stdout, stderr } = await runCommand(['show', ...argv, ...PATHS], { cwd })
  return { code, stdout: stdout.replaceAll(cwd, '…'), stderr }
}

test.each([
  ['skill', 'beta', 'Does beta.'],
  ['tool', 'fetch', 'Runs fetch.'],
  ['toolset', 'web', 'Use it.'],
  ['agent', 'some', 'You are some.'],
  ['rules', 'web', 'Be polite.'],
])('all of %s "%s" is shown', async (kind, name, text) => {
  const { code, stdout } = await shown(kind, name)
  expect(code).toBe(0)
  expect(stdout).toContain(`${kind} ${name} (`)
  expect(stdout).toContain(text)
  expect(stdout).toMatch(/hash: sha256:/)
})

test('the text has one field per line, and long texts in full', async () => {
  const { stdout } = await shown('skill', 'alpha')
  const [winner = '', shadowed = ''] = stdout.split(/\n(?=skill alpha)/)
  expect(
    winner.replace(/sha256:\w+/, 'sha256:…').replaceAll(/\d+(?= tokens)|(?<=tokens )\d+/g, 'N'),
  ).toMatchInlineSnapshot(`
    "skill alpha (N tokens)
      displayName: Alpha
      description: Does alpha.
      version: 1.0.0
      files:
        references/guide.md (size 7)
      lifetime: session
      onConflict: refuse
      license: MIT
      path: …/skills/alpha/SKILL.md
      baseDirectory: …/skills/alpha
      hash: sha256:…
      toolsets: web
      tools:
        echo (tokens N)
        fetch (tokens N, toolset web)

    instructions

    # alpha
    "
  `)
  expect(shadowed).toContain('shadowed: true')
})

test('what a skill presupposes is shown, and which of it is not defined', async () => {
  const body = 'Create a file.\n\n```bash\npython fill.py\n```\n\nUse the `beta` skill.\n'
  const cwd = await temporaryFolder({
    ...TREE,
    'skills/gamma/SKILL.md': `${skillText('gamma')}\n${body}`,
  })
  const run = async (...argv: string[]) =>
    (await runCommand(['show', 'skill', 'gamma', ...argv, ...PATHS], { cwd })).stdout
  const text = await run()
  expect(text).toContain('\n  presupposes: shell, file writing, python3, skill beta\n')
  expect(text).toContain('\n  notDefined: shell, file writing\n')
  expect(JSON.parse(await run('--json'))).toMatchObject([
    {
      fields: {
        presupposes: ['shell', 'file writing', 'python3', 'skill beta'],
        notDefined: ['shell', 'file writing'],
      },
    },
  ])
})

test('who activates a skill is shown when its author does not leave it to everybody', async () => {
  const text = 'user-invocable: false\ndisable-model-invocation: true\n'
  const cwd = await temporaryFolder({ 'skills/alpha/SKILL.md': skillText('alpha', text) })
  const { stdout } = await runCommand(['show', 'skill', 'alpha', 'skills'], { cwd })
  expect(stdout).toContain('disableModelInvocation: true')
  expect(stdout).toContain('userInvocable: false')
})

test('all tools with a name are shown, or the one of a given skill', async () => {
  const both = JSON.parse((await shown('tool', 'echo', '--json')).stdout) as object[]
  expect(both).toMatchObject([
    { name: 'echo', fields: { owners: ['alpha'], bound: false } },
    { name: 'echo', fields: { owners: ['beta'], handler: null } },
  ])
  const one = JSON.parse((await shown('tool', 'beta/echo', '--json')).stdout) as object[]
  expect(one).toEqual([both[1]])
})

test('control characters are shown as escapes', async () => {
  const { stdout } = await shown('tool', 'beta/echo')
  expect(stdout).toContain('Another <U+001B>[31mecho.<U+202E>')
})

test('an unknown kind is wrong usage, an unknown name an error; both suggest the nearest', async () => {
  expect(await shown('skils', 'alpha')).toMatchObject({
    code: 2,
    stderr: 'loadout: "skils" is not a valid kind of definition.\nDid you mean "skill"?\n',
  })
  const unknown = await shown('skill', 'alhpa')
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toContain('No skill is named "alhpa".\nDid you mean "alpha"?')
  expect(await shown('skill', '__proto__')).toMatchObject({ code: 1 })
  expect(await shown('skill')).toMatchObject({ code: 1 })
})

test('a skill that could not be loaded has another error than a missing one', async () => {
  const cwd = await temporaryFolder({ 'skills/owls/SKILL.md': '---\nname: [\n---\n' })
  const run = (name: string) => runCommand(['show', 'skill', name, 'skills', '--json'], { cwd })
  const { code, stderr } = await run('owls')
  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      code: 'SKILL_BROKEN',
      message: expect.stringMatching(
        /^"owls" could not be loaded: .*SKILL\.md:\d+: Not valid YAML/,
      ),
    },
  })
  expect((await run('mice')).stderr).toContain('DEFINITION_UNKNOWN')
})
