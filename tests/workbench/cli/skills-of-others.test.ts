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

test.each<readonly [object, boolean]>([
  [{ deny: ['loadSkillFile'] }, false],
  [
    { ask: [{ tool: 'loadSkillFile', where: { skillName: 'reader', path: 'references/*' } }] },
    false,
  ],
  [{ deny: [{ tool: 'loadSkillFile', where: { skillName: 'runner' } }] }, true],
  [{ ask: ['*'] }, true],
])('with the rules %j, the files of a skill are read by Read: %s', async (permissions, isRead) => {
  const { folder, reader, call } = await withSkillFolders()
  await writeFile(join(folder, 'job/loadout.config.json'), JSON.stringify({ permissions }))
  const file_path = join(reader, 'references/manual.md')
  const answer = await call('Read', { file_path }, '--activate', 'reader', '--sandbox', 'memory')
  expect(answer.ok).toBe(isRead)
})

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

test.each([
  ['triggers', '"loadout.triggers"'],
  ['trigger-phrases', '"loadout.triggers"'],
  ['keywords', '"loadout.triggers"'],
  ['tags', '"loadout.tags"'],
  ['dependencies', '"loadout.requires"'],
  ['depends_on', '"loadout.requires"'],
  ['requires', '"loadout.requires"'],
  ['when-to-use', '"when_to_use"'],
  ['denied-tools', '"disallowed-tools"'],
  ['not_allowed_tools', '"disallowed-tools"'],
  ['disalowed-tools', '"disallowed-tools"'],
  ['model-invocable', '"disable-model-invocation: true"'],
  ['enable-model-invocation', '"disable-model-invocation: true"'],
  ['disable-user-invocation', '"user-invocable: false"'],
  ['allowedtools', '"allowed-tools"'],
  ['maintainer', 'Nothing here reads it.'],
])('the hint for the field "%s" names what has its effect here: %s', async (field, named) => {
  const tree = { 'skills/s/SKILL.md': skill(`name: s\ndescription: Does it.\n${field}: x`) }
  const { items } = JSON.parse(await printed(tree, ['lint', 'skills', '--json'])) as {
    items: { diagnostics: { code: string; hint: string }[] }[]
  }
  const hints = items
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === 'unknown-field')
  expect(hints).toEqual([expect.objectContaining({ hint: expect.stringContaining(named) })])
})

test.each([
  ['triggers', 'Run containers on this machine.\ntriggers: [container]'],
  ['no model that may load it', 'Publish the books.\ndisable-model-invocation: true'],
  ['no model that may load it, and few words', 'Publish.\ndisable-model-invocation: true'],
])('a skill with %s needs no words about when to use it', async (_, front) => {
  const tree = { 'skills/dock/SKILL.md': skill(`name: dock\ndescription: ${front}`) }
  const text = await printed(tree, ['lint', 'skills'])
  expect(text).not.toMatch(/trigger-missing|description-vague/)
})

test.each([
  ['allowed-tools: [Read, Write]', ['allowed-tools-unmatched', 'spec-yaml']],
  ['tags: [a, b]', ['unknown-field']],
  ['metadata: {a: b, c: [d]}', ['metadata-not-text']],
  ['argument-hint: [a]', ['portable-client-field', 'portable-dropped']],
  ['license:\tMIT\n\tx: y', ['yaml-invalid']],
])('one mistake in "%s" has no second finding about its YAML', async (line, codes) => {
  const front = `name: s\ndescription: Folds a page of paper. Use when asked.\n${line}`
  const text = await printed({ 'skills/s/SKILL.md': skill(front) }, ['lint', 'skills'])
  const found = text.match(/(?<=(?:error|warning|remark) )[a-z]+-\S+/g)?.toSorted()
  expect(found?.filter((code) => code !== 'skill-presupposes')).toEqual(codes)
})

test('the hint for a field that only limits a skill does not say to remove it', async () => {
  const front = `name: s\ndescription: Folds a page of paper. Use when asked.\n`
  const limits = 'disable-model-invocation: true\ndisallowed-tools: Write\nuser-invocable: false'
  const tree = { 'skills/s/SKILL.md': skill(front + limits) }
  const text = await printed(tree, ['lint', 'skills', '--level', 'portable'])
  expect(text.match(/portable-client-field/g)).toHaveLength(3)
  expect(text).not.toMatch(/remove/i)
})

/** Returns what `show` says that a skill presupposes, and what of it is not defined. */
async function presupposed(tree: Tree, name: string, ...more: readonly string[]) {
  const text = await printed(tree, ['show', 'skill', name, ...more])
  return text.match(/(?<=(?:presupposes|notDefined): ).*/g)
}

test('commands, models and words in the form of a skill of a plugin are no skills', async () => {
  const text =
    'Use `openai:gpt-5` or `mistral:large-latest`, with `mode:non-interactive` and `user:your-token`.'
  const tree = { 'skills/pick/SKILL.md': skill('name: pick\ndescription: Pick it.', text) }
  expect(await presupposed(tree, 'pick', 'skills')).toBeNull()
})

test('a skill that is named as a person calls it is one where it is defined, or called a session', async () => {
  const tree = {
    'skills/grill/SKILL.md': skill(
      'name: grill\ndescription: Grill.',
      'Run a `/grilling` session. Then use /tidy-up, and GET /users.',
    ),
    'skills/tidy-up/SKILL.md': skill('name: tidy-up\ndescription: Tidy.'),
  }
  expect(await presupposed(tree, 'grill', 'skills')).toEqual([
    'skill grilling, skill tidy-up',
    'skill grilling',
  ])
})

test('commands, agents and servers of a plugin and of the project are defined', async () => {
  const body =
    'Run /kit:fix and `kit:git:log`, ask kit:judge, then the `ship` skill, and call `mcp__till__add`, `mcp__plugin_kit_bank__pay` or `mcp__shop__buy`. Do not forget kit:gone.'
  const tree = {
    '.claude-plugin/plugin.json': '{"name":"kit","mcpServers":{"bank":{"command":"node"}}}',
    '.mcp.json': '{"mcpServers":{"till":{"command":"node"}}}',
    '.claude/commands/ship.md': 'Ship it.',
    'commands/fix.md': 'Fix it.',
    'commands/git/log.md': 'Log it.',
    'agents/judge.md': '---\nname: judge\ndescription: Judges.\n---\n\nJudge.',
    'skills/job/SKILL.md': skill('name: job\ndescription: Work.', body),
  }
  const lacks = 'skill gone, server shop'
  expect((await presupposed(tree, 'job', '.'))?.at(-1)).toBe(lacks)
  expect(await printed(tree, ['lint', '.'])).toContain(`Not defined here: ${lacks}.`)
})

/** Returns the codes and messages of lint, without remarks about what a skill presupposes. */
async function linted(tree: Tree, ...more: readonly string[]) {
  const { items } = JSON.parse(await printed(tree, ['lint', '.', '--json', ...more])) as {
    items: { diagnostics: { code: string; severity: string; message: string }[] }[]
  }
  return items
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code !== 'skill-presupposes')
    .map(
      ({ code, severity, message }) =>
        `${severity} ${code}: ${message.replaceAll(/\/\S*\/(?=\.?\w+\/skills)/g, '')}`,
    )
}

const FOLD = 'Folds a page of paper. Use when asked.'

test('copies of a skill with the same text are one remark, and editions of it one warning', async () => {
  const text = skill(`name: fold\ndescription: ${FOLD}`)
  const tree = {
    '.agents/skills/fold/SKILL.md': text,
    '.claude/skills/fold/SKILL.md': text,
    '.gemini/skills/fold/SKILL.md': text,
    '.one/skills/fold/SKILL.md': text.replace('Do it.', 'Do not.'),
    '.two/skills/fold/SKILL.md': text.replace('Do it.', 'Do some.'),
    'more/skills/fold/SKILL.md': text.replace('Folds', 'Tears'),
  }
  const messages = await linted(tree)
  expect(messages).toHaveLength(3)
  expect(messages).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^warning duplicate-skill: Two .* more\S* is not\.$/),
      expect.stringMatching(
        /^warning duplicate-skill: 3 .* with the same description and another text: .* and not those from \.one\S* and from \.two\S*\.$/,
      ),
      'info duplicate-skill: 3 skills are named "fold", with the same text: the one from .agents/skills/fold/SKILL.md is used, and not those from .claude/skills/fold/SKILL.md and from .gemini/skills/fold/SKILL.md.',
    ]),
  )
})

test.each([
  ['with the same text', 'Do it.', 'other: x', 'kit'],
  ['that it is named after, for another client', 'Do it with Claude.', FOLD, 'fold'],
])(
  'a copy of the skill of a plugin %s does not rename it',
  async (_, body, description, plugin) => {
    const tree = {
      '.agents/skills/fold/SKILL.md': skill(`name: fold\ndescription: "${description}"`),
      '.claude-plugin/plugin.json': `{"name":"${plugin}"}`,
      'skills/fold/SKILL.md': skill(`name: fold\ndescription: "${description}"`, body),
    }
    const listed = JSON.parse(await printed(tree, ['skills', '.', '--json'])) as { name: string }[]
    expect(listed.map(({ name }) => name)).toEqual(['fold', 'fold'])
  },
)

test.each([
  ['_template', 'skill-name'],
  ['template', 'my-skill'],
  ['example', 'your-skill-name'],
])('the template in the folder %s is no skill', async (folder, name) => {
  const tree = {
    [`skills/${folder}/SKILL.md`]: skill(`name: ${name}\ndescription: [REQUIRED] ${FOLD}`),
    'skills/templates/SKILL.md': skill(`name: templates\ndescription: ${FOLD}`),
  }
  expect((await printed(tree, ['skills', 'skills', '--json'])).match(/"name": "\S+"/g)).toEqual([
    '"name": "templates"',
  ])
  expect(await linted(tree)).toEqual([expect.stringContaining('info skill-template')])
})

test('the tools of a client that a skill asks for are one remark', async () => {
  const tools = 'Read Write Bash(git:*) Bash(npm:*) mcp__shop__buy'
  const front = `name: fold\ndescription: ${FOLD}\nallowed-tools: ${tools}`
  expect(await linted({ 'skills/fold/SKILL.md': skill(front) })).toEqual([
    expect.stringMatching(
      /^info allowed-tools-unmatched: .*: Read, Write, Bash, mcp__shop__buy\.$/,
    ),
  ])
})

test('skills that do not fit the list in a prompt are a finding, with the longest ones', async () => {
  const words = 'Folds pages of paper of any size in many ways, with care. Use when asked to fold. '
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `skills/fold-${at}/SKILL.md`,
        skill(`name: fold-${at}\ndescription: ${words.repeat(at === 7 ? 9 : 4)}${at}`),
      ]),
    )
  const shortened = (messages: readonly string[]) =>
    messages.filter((one) => one.includes('catalog-over-budget'))
  expect(shortened(await linted(many(80)))).toEqual([
    'warning catalog-over-budget: The list of skills in a prompt is too long. 80 skills do not fit 4000 tokens: each description is shortened to its share. Raise "catalogBudget", in loadout.config or as an option of the workspace.',
  ])
  expect(await printed(many(80), ['lint', 'skills'])).toContain('descriptions (fold-7, fold-')
  expect(shortened(await linted(many(30)))).toEqual([])
  const budget = (tokens: number) => ({ 'loadout.config.json': `{"catalogBudget":${tokens}}` })
  expect(shortened(await linted({ ...many(80), ...budget(20_000) }))).toEqual([])
  expect(shortened(await linted({ ...many(30), ...budget(500) }))).toHaveLength(1)
})

test('fields that nothing reads are one finding, and those with a better field have their own', async () => {
  const front = `name: fold\ndescription: ${FOLD}\nauthor: me\ntags: paper\nmood: good\nyear: 2026`
  expect(await linted({ 'skills/fold/SKILL.md': skill(front) })).toEqual([
    'warning unknown-field: The fields "author", "mood" and "year" are unknown and have no effect.',
    'warning unknown-field: The field "tags" is unknown and has no effect.',
  ])
})

test('a skill that a plugin names is found at any depth, and another one is not', async () => {
  const tree = {
    '.claude-plugin/plugin.json': '{"name":"kit","skills":["./skills/paper/fold"]}',
    'skills/paper/fold/SKILL.md': skill(`name: fold\ndescription: ${FOLD}`),
    'skills/paper/tear/SKILL.md': skill(`name: tear\ndescription: ${FOLD}`),
  }
  const nested = (await printed(tree, ['lint', '.', '--level', 'portable'])).match(/.*SKILL\.md/g)
  expect(nested).toEqual(['skills/paper/tear/SKILL.md'])
})

test('an agent may load the skills that a pattern names, and a pattern without any is a finding', async () => {
  const tree = {
    'skills/lark-mail/SKILL.md': skill(`name: lark-mail\ndescription: ${FOLD}`),
    'skills/lark-task/SKILL.md': skill(`name: lark-task\ndescription: ${FOLD}`),
    'skills/other/SKILL.md': skill(`name: other\ndescription: ${FOLD}`),
    'agents/clerk/AGENT.md':
      '---\nname: clerk\ndescription: Works.\nskills: [lark-*, none-*]\n---\n',
  }
  const why = (name: string) => printed(tree, ['why', name, '.', '--agent', 'clerk'])
  expect(await why('lark-mail')).toContain('inactive')
  expect(await why('other')).toContain('not-permitted')
  const prompt = await printed(tree, ['prompt', '.', '--agent', 'clerk'])
  expect(prompt.match(/lark-\w+|other/g)).toEqual(['lark-mail', 'lark-task'])
  expect((await linted(tree)).filter((one) => one.includes('clerk'))).toEqual([
    expect.stringContaining('"none-*"'),
  ])
  expect(await printed(tree, ['list', '.', '--tree'])).toMatch(/clerk[^]*lark-mail[^]*lark-task/)
})

test('a file that a text names is missing where it is neither here nor in the plugin, and no example', async () => {
  const body = [
    'Run `scripts/own.py`, `scripts/auth.py` and `scripts/none.py`.',
    'Those of `../tear/` have `scripts/cut.py`.',
    '',
    'Example: a skill of tables has',
    '',
    '1. `references/schema.md`',
    '',
    '## Next',
    '',
    'Read `references/none.md`, and e.g. `assets/logo.png`.',
  ].join('\n')
  const tree = {
    '.claude-plugin/plugin.json': '{"name":"kit"}',
    'scripts/auth.py': '',
    'skills/fold/SKILL.md': skill(`name: fold\ndescription: ${FOLD}`, body),
    'skills/fold/scripts/own.py': '',
    'skills/fold/copies/docs/a.md': 'Run `scripts/build.js`.',
    'skills/tear/SKILL.md': skill(`name: tear\ndescription: ${FOLD}`),
    'skills/tear/scripts/cut.py': '',
  }
  const missing = (await linted(tree)).filter((one) => one.includes('mention-missing'))
  expect(missing.map((one) => /"(.*)"/.exec(one)?.[1])).toEqual([
    'scripts/none.py',
    'references/none.md',
  ])
})
