import { readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Tree, temporaryFolder } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

/** Runs one command in a folder with these files, and returns what it printed. */
async function printed(tree: Tree, command: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCommand(command, { cwd: await temporaryFolder(tree) })
  return stdout + stderr
}

const skill = (front: string, body = 'Do it.') => `---\n${front}\n---\n\n${body}\n`

/** Values of one line that YAML refuses or reads otherwise, and their text. Clients that read line by line take all. */
const VALUES: readonly (readonly [written: string, text: string])[] = [
  ['[beta] Fold a page.', '[beta] Fold a page.'],
  ['{draft} Fold a page.', '{draft} Fold a page.'],
  ['`foo` runs foo.', '`foo` runs foo.'],
  ['@mentions are resolved.', '@mentions are resolved.'],
  ['%TEMP% is cleaned.', '%TEMP% is cleaned.'],
  ['*.log files are cleaned.', '*.log files are cleaned.'],
  ['!important: clean logs.', '!important: clean logs.'],
  ['"Say "hello" to people". Use it.', '"Say "hello" to people". Use it.'],
  ['"Say "hello""', 'Say "hello"'],
  ["'Don't' is a word.", "'Don't' is a word."],
  ["'Don't'", "Don't"],
  ['? who knows', '? who knows'],
  ['- a dash', '- a dash'],
  ['| a pipe', '| a pipe'],
  ['Use it: often: yes', 'Use it: often: yes'],
]

test('a value of one line that YAML refuses is text, in any field, with one finding each', async () => {
  const tree = Object.fromEntries(
    VALUES.map(([written], at) => [
      `skills/s${at}/SKILL.md`,
      skill(`name: s${at}\ndescription: ${written}\nmetadata:\n  author: ${written}`),
    ]),
  )
  const listed = JSON.parse(await printed(tree, ['skills', 'skills', '--json'])) as {
    name: string
    description: string
  }[]
  const found = new Map(listed.map(({ name, description }) => [name, description]))
  for (const [at, [, text]] of VALUES.entries()) {
    expect({ at, text: found.get(`s${at}`) }).toEqual({ at, text })
  }
  const findings = (await printed(tree, ['lint', 'skills'])).match(/(?:unquoted|spec-yaml)\S*/g)
  expect(findings).toHaveLength(2 * VALUES.length)
})

/** Writes a value as the hint of its finding says. */
function followed(hint: string, value: string): string {
  if (hint.includes('double quotes')) return `"${value}"`
  return hint.includes('single quotes') ? `'${value}'` : `>-\n  ${value}`
}

test.each([
  ...VALUES.map(([written]) => written),
  String.raw`%TEMP%\new is cleaned.`,
  String.raw`@it's "new" in C:\new`,
])('the hint for %s ends the finding, at the level of the specification, too', async (written) => {
  const lint = async (value: string, level: string) => {
    const tree = { 'skills/s/SKILL.md': skill(`name: s\ndescription: ${value}`) }
    const lint = ['lint', 'skills', '--json', '--level', level]
    const { items } = JSON.parse(await printed(tree, lint)) as {
      items: { diagnostics: { code: string; hint: string }[] }[]
    }
    return items
      .flatMap(({ diagnostics }) => diagnostics)
      .filter(({ code }) => code.startsWith('unquoted-') || code === 'spec-yaml')
  }
  expect(await lint(written, 'spec')).toHaveLength(1)
  const [finding] = await lint(written, 'portable')
  const better = followed(finding?.hint ?? '', written)
  expect(await lint(better, 'portable')).toEqual([])
  expect(await lint(better, 'spec')).toEqual([])
})

test('tags of YAML that ask for code are refused as before', async () => {
  const tree = { 'skills/s/SKILL.md': skill('name: s\ndescription: !!js/function "x"') }
  expect(await printed(tree, ['lint', 'skills'])).toContain('yaml-tag')
})

test('a field that is given twice is named, and not a value beside it that was read as text', async () => {
  const front = 'name: s\ndescription: @a\nlicense: MIT\nlicense: MIT'
  const text = await printed({ 'skills/s/SKILL.md': skill(front) }, ['lint', 'skills'])
  expect(text).toContain('duplicate-key')
  expect(text).not.toContain('yaml-invalid')
})

const CODE = `Run \`awk '{print $1}' access.log\`. A line costs $0.10, for $1.

\`\`\`sh
awk -v a="$1" -v b="$2" 'BEGIN { print a, b }' # \\$1 $ARGUMENTS
\`\`\`

A run costs \\$5 of $2.`

test('arguments leave commands in code and prices alone, and an escape loses its backslash', async () => {
  const tree = { 'skills/count/SKILL.md': skill('name: count\ndescription: Count.', CODE) }
  const prompt = (activate: string) =>
    printed(tree, ['prompt', 'skills', '--activate', activate, '--part', 'conversation'])
  const filled = await prompt('count alpha bravo')
  expect(filled).toContain("`awk '{print $1}' access.log`. A line costs $0.10, for alpha.")
  expect(filled).toContain('awk -v a="$1" -v b="$2" \'BEGIN { print a, b }\' # $1 alpha bravo')
  expect(filled).toContain('A run costs $5 of bravo.')
  const plain = await prompt('count')
  expect(plain).toContain('A line costs $0.10, for $1.')
  expect(plain).toContain('A run costs $5 of $2.')
  expect(await printed(tree, ['lint', 'skills'])).toContain('portable-argument-in-code')
})

test('the folder of a skill takes the place of its variables', async () => {
  const text = 'Run `bash ${CLAUDE_SKILL_DIR}/scripts/go.sh`, $LOADOUT_SKILL_DIR/a or {baseDir}/b.'
  const cwd = await temporaryFolder({
    'skills/go/SKILL.md': skill('name: go\ndescription: Go.', text),
    'skills/go/scripts/go.sh': 'echo ran\n',
  })
  const { stdout } = await runCommand(
    ['prompt', 'skills', '--activate', 'go', '--part', 'conversation'],
    { cwd },
  )
  const folder = join(cwd, 'skills', 'go')
  expect(stdout).toContain(`Run \`bash ${folder}/scripts/go.sh\`, ${folder}/a or ${folder}/b.`)
})

test.each([
  ['loadSkill', '"loadSkill"'],
  ['*', '"*"'],
  [
    { tool: 'loadSkill', where: { skillName: '*' } },
    '"loadSkill" with argument skillName like "*"',
  ],
])(
  'a rule %j in deny is named by why and skills, and no section asks for a load',
  async (rule, named) => {
    const tree = {
      'skills/mail/SKILL.md': skill('name: mail\ndescription: Mail. Use when mail is asked for.'),
      'loadout.config.json': JSON.stringify({ permissions: { deny: [rule] } }),
    }
    expect(await printed(tree, ['prompt'])).not.toMatch(/can be loaded|call `loadSkill`/v)
    const why = await printed(tree, ['why', 'mail'])
    expect(why).toContain(
      `It is off for models: the policy denies loading it, by the rule: ${named}.`,
    )
    expect(why).toContain('fix: Activate the skill "mail". No model can until the rule is removed.')
    expect(await printed(tree, ['skills'])).toMatch(/^mail +off/mv)
  },
)

test('files that changed under a session are named by why, skills and prompt, and accepted by a command', async () => {
  const text = (version: string) => skill('name: live\ndescription: Live edits.', version)
  const cwd = await temporaryFolder({ 'skills/live/SKILL.md': text('VERSION ONE') })
  const run = (...argv: string[]) => runCommand([...argv, '--log', 's.sqlite'], { cwd })
  await run('activate', 'live')
  expect((await run('why', 'live')).stderr).toBe('')
  await writeFile(join(cwd, 'skills/live/SKILL.md'), text('VERSION TWO'))
  for (const command of [['why', 'live'], ['skills'], ['prompt'], ['tools']]) {
    expect((await run(...command)).stderr).toBe(
      `warning: The files of the active skill "live" changed since the session activated it.
  Accept the new definition: loadout accept live --log s.sqlite.
`,
    )
  }
  expect((await run('prompt')).stdout).toContain('VERSION ONE')
  const { code, stderr } = await run('activate', 'live')
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(with the command: loadout accept live)'),
  })
  const accepted = await run('accept', 'live')
  expect({ code: accepted.code, out: accepted.stdout }).toEqual({
    code: 0,
    out: expect.stringContaining('+ VERSION TWO'),
  })
  expect(await run('prompt')).toMatchObject({
    stdout: expect.stringContaining('VERSION TWO'),
    stderr: '',
  })
  expect(await run('accept', 'live')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has not changed since the session activated it'),
  })
  const none = await runCommand(['accept', 'live'], { cwd })
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('No session is given.') })
})

test('the budget of the list of skills is configuration, and its note says so', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `skill-${at}`)
  const files = Object.fromEntries(
    names.map((name) => [
      `skills/${name}/SKILL.md`,
      skill(
        `name: ${name}\ndescription: Does one of many things in a shop of the town. Use when asked.`,
      ),
    ]),
  )
  const prompt = async (config: object) => {
    const tree = { ...files, 'loadout.config.json': JSON.stringify(config) }
    const { text, notes } = JSON.parse(await printed(tree, ['prompt', '--json'])) as {
      text: string
      notes: { code: string; message: string }[]
    }
    return { isFull: text.includes('of the town'), notes }
  }
  expect(await prompt({})).toEqual({ isFull: true, notes: [] })
  expect(await prompt({ catalogBudget: 700 })).toEqual({
    isFull: false,
    notes: [
      {
        code: 'catalog-shortened',
        section: 'skill-catalog',
        message:
          '40 skills do not fit 700 tokens: each description is shortened to its share. Raise "catalogBudget", in loadout.config or as an option of the workspace.',
      },
    ],
  })
  const tree = { ...files, 'loadout.config.json': '{"catalogBudget": "many"}' }
  expect(await printed(tree, ['prompt'])).toContain(
    'The field "catalogBudget" must be a whole number of tokens; "catalogBudget" has no effect.',
  )
})

/** A project, with a skill in it and one in the home of its user. */
async function withSkillFolders() {
  const go = (name: string) => ({
    [`${name}/SKILL.md`]: skill(
      `name: ${name.split('/').at(-1)}\ndescription: Runs it.`,
      'Read references/manual.md.',
    ),
    [`${name}/references/manual.md`]: `Rules of ${name}.\n`,
    [`${name}/scripts/go.sh`]: `echo ran in "$CLAUDE_SKILL_DIR"\n`,
  })
  const folder = await realpath(
    await temporaryFolder({
      ...go('job/skills/runner'),
      ...go('home/.claude/skills/reader'),
    }),
  )
  const [runner, reader] = [
    join(folder, 'job/skills/runner'),
    join(folder, 'home/.claude/skills/reader'),
  ]
  const call = async (tool: string, input: object, ...more: string[]) => {
    const json = ['--json', '--yes', '--args-json', JSON.stringify(input)]
    const { stdout, stderr } = await runCommand(
      ['call', tool, '--tools', 'files,shell', ...json, ...more],
      { cwd: join(folder, 'job'), home: join(folder, 'home') },
    )
    return JSON.parse(stdout || stderr) as {
      ok: boolean
      data?: object
      error?: { message: string }
    }
  }
  return { folder, runner, reader, call }
}

test.each(['folder', 'memory'])(
  'the folder of an active skill is read and run in a sandbox (%s), also of a skill in the home',
  async (sandbox) => {
    const { runner, reader, call } = await withSkillFolders()
    for (const [name, folder] of [
      ['runner', runner],
      ['reader', reader],
    ] as const) {
      const own = ['--activate', name, '--sandbox', sandbox]
      const file_path = join(folder, 'references/manual.md')
      expect(await call('Read', { file_path }, ...own)).toMatchObject({
        ok: true,
        data: { text: expect.stringMatching(/^Rules of/v), lines: 1 },
      })
      expect(await call('LS', { path: folder }, ...own)).toMatchObject({
        ok: true,
        data: { entries: expect.arrayContaining(['references/', 'scripts/']) },
      })
      expect(await call('Grep', { pattern: 'Rules', path: folder }, ...own)).toMatchObject({
        data: { entries: [expect.stringContaining('manual.md:1: Rules')] },
      })
      for (const written of ['"${CLAUDE_SKILL_DIR}/scripts/go.sh"', `${folder}/scripts/go.sh`]) {
        expect(await call('Bash', { command: `bash ${written}` }, ...own)).toMatchObject({
          ok: true,
          data: { exitCode: 0, stdout: `ran in ${folder}\n` },
        })
      }
      // Without the skill, nothing of the folder is reached.
      if (name === 'reader') {
        expect(await call('Read', { file_path }, '--sandbox', sandbox)).toMatchObject({ ok: false })
        const write = { file_path, content: 'x' }
        await call('Write', write, ...own)
        expect(await readFile(file_path, 'utf8')).toMatch(/^Rules of/v)
      }
    }
  },
)

test('of several active skills, the folder that a command names decides, and the variable alone is refused', async () => {
  const { reader, runner, call } = await withSkillFolders()
  const both = ['--activate', 'runner', '--activate', 'reader']
  const named = { command: `bash ${reader}/scripts/go.sh` }
  expect(await call('Bash', named, ...both)).toMatchObject({
    data: { stdout: `ran in ${reader}\n` },
  })
  expect(
    await call('Bash', { command: 'bash $CLAUDE_SKILL_DIR/scripts/go.sh' }, ...both),
  ).toMatchObject({
    ok: false,
    error: {
      message: `Several skills are loaded, so CLAUDE_SKILL_DIR has no value. Write the folder instead: runner: ${runner}, reader: ${reader}.`,
    },
  })
  expect(await call('Bash', { command: 'echo fine' }, ...both)).toMatchObject({
    data: { stdout: 'fine\n' },
  })
  expect(await call('Read', { file_path: 'scripts/go.sh' }, ...both)).toMatchObject({ ok: false })
  expect(
    await call('Read', { file_path: './scripts/go.sh' }, '--activate', 'reader'),
  ).toMatchObject({ ok: true })
})

test('a text with files says what relative paths are relative to', async () => {
  const { folder, runner } = await withSkillFolders()
  const { stdout } = await runCommand(
    ['prompt', '--activate', 'runner', '--part', 'conversation'],
    {
      cwd: join(folder, 'job'),
    },
  )
  expect(stdout).toContain(`- Base directory: ${runner}`)
  expect(stdout).toContain('Relative paths in its text are meant from its base directory.')
})

test.each(['[base, head]', 'base head', '\n  - base\n  - head'])(
  'arguments with names (%j) are read, filled in, and kept by an export',
  async (names) => {
    const text = skill(
      `name: compare\ndescription: Compare two branches.\narguments: ${names}`,
      'Run `git diff $base...$head`.',
    )
    const cwd = await temporaryFolder({ 'skills/compare/SKILL.md': text })
    const run = (...argv: string[]) => runCommand(argv, { cwd })
    const prompt = async (...paths: string[]) =>
      (await run('prompt', ...paths, '--activate', 'compare main topic', '--part', 'conversation'))
        .stdout
    expect(await prompt()).toContain('git diff main...topic')
    expect((await run('lint', 'skills')).stdout).not.toContain('unknown-field')
    await run('export', 'skills', 'out', 'skills')
    expect(await prompt('out')).toContain('git diff main...topic')
  },
)

test('lint says where Claude Code counts placeholders from another argument', async () => {
  const tree = {
    'skills/one/SKILL.md': skill('name: one\ndescription: One.', 'Fix $1 with $2.'),
    'skills/two/SKILL.md': skill('name: two\ndescription: Two.', 'Fix $0 with $1. It costs $0.10.'),
  }
  const found = await printed(tree, ['lint', 'skills', '--level', 'portable'])
  expect(found.match(/portable-argument-place/gv)).toHaveLength(1)
  expect(found).toContain(
    'In Claude Code $1 is the second argument; here, in a text without $0, the first.',
  )
})
