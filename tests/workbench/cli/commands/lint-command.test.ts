import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeLintReport } from '../../../../src/workbench/cli/commands/lint-command.ts'
import { skillText, temporaryFolder, type Tree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const GOOD =
  '---\nname: mail\ndescription: Sorts letters by sender. Use when asked.\n---\n\nSort them.\n'
const MIXED: Tree = {
  'skills/mail/SKILL.md': GOOD.replace('Sort them.', 'See [the list](references/list.md).'),
  'skills/bad/SKILL.md': '# No front matter\n',
  'skills/Post/SKILL.md': GOOD.replace('mail', 'Post').replace(
    'Sorts letters by sender',
    'Carries parcels to doors',
  ),
}

test('findings are printed by file, with place, code and hint', async () => {
  const cwd = await temporaryFolder(MIXED)
  const { code, stdout, stderr } = await runCommand(['lint', '--quiet'], { cwd, columns: 80 })
  expect(stdout).toMatchInlineSnapshot(`
    "skills/Post/SKILL.md  skill Post
      2:7 warning name-invalid
        Not every program accepts the name "Post".
        Use 1 to 64 lower-case letters, digits and single hyphens.
      2:7 warning spec-name-case
        The name "Post" has capital letters.
        Use lower-case letters.

    skills/bad/SKILL.md  skill, not loaded
      1:1 error front-matter-missing
        The file does not start with front matter.
        Start the first line with --- and give at least a name and a description
        before the next ---.

    skills/mail/SKILL.md  skill mail
      6:16 warning link-missing
        The link "references/list.md" leads to no file of the skill.
        Add the file, or remove the link.

    3 items checked (native): 1 error, 3 warnings.
    "
  `)
  expect([code, stderr]).toEqual([1, ''])
})

test('--json prints one object, with null for unknown values', async () => {
  const cwd = await temporaryFolder({
    'skills/bad/SKILL.md': '# No front matter\n',
    'skills/mail/SKILL.md': GOOD,
  })
  const { code, stdout, stderr } = await runCommand(
    ['lint', 'skills', '--level', 'spec', '--json'],
    { cwd },
  )
  expect([code, stderr]).toEqual([1, ''])
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    checked: 2,
    level: 'spec',
    limits: [],
    items: [
      {
        kind: 'skill',
        path: join(cwd, 'skills/bad/SKILL.md'),
        name: null,
        status: 'error',
        diagnostics: [
          {
            code: 'spec-front-matter',
            severity: 'error',
            message: 'The file does not start with front matter (---).',
            hint: 'Start its first line with ---.',
            file: join(cwd, 'skills/bad/SKILL.md'),
            line: 1,
            column: 1,
          },
        ],
      },
      {
        kind: 'skill',
        path: join(cwd, 'skills/mail/SKILL.md'),
        name: 'mail',
        status: 'ok',
        diagnostics: [],
      },
    ],
  })
})

test.each([
  { tree: { 'skills/mail/SKILL.md': GOOD }, argv: [], code: 0 },
  { tree: MIXED, argv: [], code: 1 },
  { tree: MIXED, argv: ['skills/mail'], code: 0 },
  { tree: MIXED, argv: ['skills/mail/SKILL.md', 'skills/bad'], code: 1 },
  { tree: MIXED, argv: ['skills/Post'], code: 0 },
  { tree: MIXED, argv: ['skills/Post', '--level', 'portable'], code: 0 },
  { tree: MIXED, argv: ['skills/Post', '--level', 'spec'], code: 1 },
  { tree: MIXED, argv: ['nowhere'], code: 2 },
  { tree: MIXED, argv: ['--level', 'strict'], code: 2 },
  { tree: MIXED, argv: ['--deep'], code: 2 },
  { tree: {}, argv: [], code: 2 },
  { tree: { 'skills/notes.md': 'x' }, argv: ['skills'], code: 2 },
])('lint $argv ends with $code', async ({ tree, argv, code }) => {
  const cwd = await temporaryFolder(tree)
  const told = await runCommand(['lint', ...argv], { cwd })
  expect(told.code).toBe(code)
  expect(told.stderr === '').toBe(code !== 2)
})

test('without definitions it is wrong usage', async () => {
  const cwd = await temporaryFolder({})
  await mkdir(join(cwd, 'docs'))
  expect((await runCommand(['lint', 'docs', '--level', 'spec'], { cwd })).stderr).toBe(
    'loadout: No skill was found at docs.\nGive files or folders that contain skills.\n',
  )
})

test('all kinds of definitions are items, and other findings belong to their folder', async () => {
  const cwd = await temporaryFolder({
    'skills/mail/SKILL.md': GOOD,
    'toolsets/letters/TOOLSET.md': '---\nname: letters\ndescription: d\ntools: send\n---\n',
    'tools/send/schema.json': JSON.stringify({
      toolId: 'send',
      description: 'Sends.',
      parameters: {},
    }),
    'agents/clerk/AGENT.md': '---\nname: clerk\ndescription: d\n---\n',
    'rules/letters.md': 'Ask first.\n',
    'loadout.config.json': '{}',
  })
  const { stdout } = await runCommand(['lint', '--json'], { cwd })
  const { items, checked } = JSON.parse(stdout) as {
    checked: number
    items: { kind: string; name: string }[]
  }
  expect(items.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    'agent clerk',
    'config loadout.config.json',
    'rules letters',
    'skill mail',
    'tool send',
    'toolset letters',
  ])
  expect(checked).toBe(6)
})

test('hidden characters of a file are shown and never reach the terminal', async () => {
  const hostile = 'Sorts\u202E letters\u200B <\u001b]0;x\u0007> when asked.'
  const cwd = await temporaryFolder({
    'skills/mail/SKILL.md': `---\nname: mail\nd\u001b[2Jx: 1\ndescription: "x"\n---\n\n[a\u202E](b\u202Ec.md) ${hostile}\n`,
    'skills/a\u202Eb/SKILL.md': skillText('a\u202Eb'),
  })
  for (const extra of [[], ['--json']]) {
    const { stdout, stderr } = await runCommand(['lint', ...extra], { cwd, columns: 80 })
    const passedOn = ['\u202E', '\u200B', '\u001b', '\u0007'].filter((one) => stdout.includes(one))
    expect(passedOn).toEqual([])
    expect(stderr).toBe('')
    expect(stdout).toContain('hidden-character')
    expect(stdout).toContain('U+202E')
  }
})

test('lint runs no code of an untrusted folder', async () => {
  const cwd = await temporaryFolder({
    'skills/mail/SKILL.md': GOOD,
    'loadout.config.mjs': 'globalThis.ranByLint = true\nexport default {}\n',
  })
  expect((await runCommand(['lint'], { cwd })).stdout).toContain('config-untrusted')
  expect('ranByLint' in globalThis).toBe(false)
  expect((await runCommand(['lint', '--trust'], { cwd })).stdout).not.toContain('config-untrusted')
  expect(Reflect.deleteProperty(globalThis, 'ranByLint')).toBe(true)
})

test('limits of the checks are printed after the count', () => {
  let said = ''
  const stdout = { write: (text: string) => (said += text) }
  const report = { ok: true, checked: 2, level: 'native', items: [], limits: ['Not all.'] } as const
  writeLintReport(report, false, {
    cwd: '/',
    isTerminal: false,
    columns: 80,
    colour: false,
    stdout,
  })
  expect(said).toBe('2 items checked (native): no problems.\nNot all.\n')
})

test('what was seen is reported although no definition was found', async () => {
  const outside = await temporaryFolder({ 'SKILL.md': GOOD })
  const cwd = await temporaryFolder({ 'a/b/c/SKILL.md': GOOD, 'post/SKILL.MD': GOOD })
  await symlink(outside, join(cwd, 'mail'))
  const argv = ['lint', '.', '--max-depth', '1']
  const { code, stdout, stderr } = await runCommand(argv, { cwd })
  expect(code).toBe(2)
  for (const found of ['link-outside', 'scan-cut', 'skill-file-name'])
    expect(stdout).toContain(found)
  expect(stdout).toContain('--max-depth')
  expect(stderr).toContain('No definition was found at ..')
  const json = await runCommand([...argv, '--json'], { cwd })
  expect(json.code).toBe(2)
  const { checked, items } = JSON.parse(json.stdout) as {
    checked: number
    items: readonly { diagnostics: readonly { code: string }[] }[]
  }
  expect(checked).toBe(0)
  expect(items.flatMap((item) => item.diagnostics.map((one) => one.code)).sort()).toEqual([
    'link-outside',
    'scan-cut',
    'skill-file-name',
  ])
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'WRONG_USAGE' } })
})

test('--max-depth and --max-folders limit what is read, also for other commands', async () => {
  const cwd = await temporaryFolder({ 'a/mail/SKILL.md': GOOD, 'b/mail/SKILL.md': GOOD })
  const checked = async (...argv: string[]) => {
    const { stdout } = await runCommand(['lint', '.', '--json', ...argv], { cwd })
    return JSON.parse(stdout).checked as number
  }
  expect(await checked()).toBe(2)
  expect(await checked('--max-depth', '1')).toBe(0)
  expect(await checked('--max-folders', '3')).toBe(1)
  for (const command of ['list', 'skills', 'search mail', 'build --out x.json']) {
    const { stderr } = await runCommand([...command.split(' '), '.', '--max-depth', '1'], { cwd })
    expect(stderr).toContain('were not read')
  }
})

test('--fail-on warning fails for what only warns, and --junit and --annotations have the same problems', async () => {
  const cwd = await temporaryFolder({
    'repo/skills/mail/SKILL.md': MIXED['skills/mail/SKILL.md'] ?? '',
    'repo/skills/50%, a:b/SKILL.md': GOOD.replace('name: mail', 'name: 50%, a:b'),
  })
  const lint = (...more: string[]) =>
    runCommand(['lint', 'skills', '--quiet', ...more], {
      cwd: join(cwd, 'repo'),
      env: { GITHUB_WORKSPACE: cwd },
    })
  expect((await lint()).code).toBe(0)
  const strict = await lint('--fail-on', 'warning', '--junit', 'lint.xml', '--annotations')
  expect(strict.code).toBe(1)
  expect(strict.stdout.split('\n').filter((line) => line.startsWith('::'))).toMatchInlineSnapshot(`
    [
      "::warning file=repo/skills/50%25%2C a%3Ab/SKILL.md,title=search-confuses::A search confuses the skill "50-a-b" with the skill "mail" (skills/mail/SKILL.md): both contain letters, sender. Describe the difference in both descriptions, or give each its own phrases.",
      "::warning file=repo/skills/50%25%2C a%3Ab/SKILL.md,line=2,col=7,title=name-invalid::The name "50%25, a:b" cannot be used; the skill is named "50-a-b". Use 1 to 64 lower-case letters, digits and single hyphens.",
      "::warning file=repo/skills/50%25%2C a%3Ab/SKILL.md,line=2,col=7,title=spec-name-characters::The name "50%25, a:b" contains characters other than letters, digits and hyphens. Use lower-case letters, digits and single hyphens.",
      "::warning file=repo/skills/mail/SKILL.md,line=6,col=16,title=link-missing::The link "references/list.md" leads to no file of the skill. Add the file, or remove the link.",
    ]
  `)
  expect(await readFile(join(cwd, 'repo/lint.xml'), 'utf8')).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
      <testsuite name="loadout" tests="2" failures="2">
        <testcase classname="skills/50%, a:b/SKILL.md" name="skill 50-a-b">
          <failure message="skills/50%, a:b/SKILL.md A search confuses the skill &quot;50-a-b&quot; with the skill &quot;mail&quot; (skills/mail/SKILL.md): both contain letters, sender. Describe the difference in both descriptions, or give each its own phrases.">skills/50%, a:b/SKILL.md A search confuses the skill &quot;50-a-b&quot; with the skill &quot;mail&quot; (skills/mail/SKILL.md): both contain letters, sender. Describe the difference in both descriptions, or give each its own phrases.
    skills/50%, a:b/SKILL.md:2 The name &quot;50%, a:b&quot; cannot be used; the skill is named &quot;50-a-b&quot;. Use 1 to 64 lower-case letters, digits and single hyphens.
    skills/50%, a:b/SKILL.md:2 The name &quot;50%, a:b&quot; contains characters other than letters, digits and hyphens. Use lower-case letters, digits and single hyphens.</failure>
        </testcase>
        <testcase classname="skills/mail/SKILL.md" name="skill mail">
          <failure message="skills/mail/SKILL.md:6 The link &quot;references/list.md&quot; leads to no file of the skill. Add the file, or remove the link.">skills/mail/SKILL.md:6 The link &quot;references/list.md&quot; leads to no file of the skill. Add the file, or remove the link.</failure>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `)
  await lint('--junit', 'lint.xml')
  expect(await readFile(join(cwd, 'repo/lint.xml'), 'utf8')).toContain('tests="2" failures="0"')
  expect((await lint('--annotations', '--json')).code).toBe(2)
  expect((await lint('--fail-on', 'remark')).code).toBe(2)
})
