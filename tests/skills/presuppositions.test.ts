import { defineSkill } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, test } from 'vitest'
import { findSkillFile } from '../../src/skills/find-skill-file.ts'
import { describePresuppositions, presuppositionsOf } from '../../src/skills/presuppositions.ts'

const aSkill = (instructions: string, more: object = {}) =>
  defineSkill({ name: 'pdf', description: 'Fills forms.', instructions, ...more })

const code = (text: string, language = 'bash') => `\`\`\`${language}\n${text}\n\`\`\``

test.each([
  { text: code('npm test'), expected: { shell: true, programs: ['npm'] } },
  { text: code('npm test', 'ts'), expected: { shell: false, programs: [] } },
  { text: code('$ sudo apt-get install x', 'console'), expected: { programs: ['apt-get'] } },
  { text: 'Create a `values.json` with the fields.', expected: { fileWriting: true } },
  { text: 'Read `values.json`.', expected: { fileWriting: false } },
  {
    text: '**REQUIRED SUB-SKILL:** Use superpowers:test-driven-development',
    expected: { skills: ['test-driven-development'], mentions: [] },
  },
  {
    text: 'Use superpowers:test-driven-development.',
    expected: { skills: [], mentions: ['superpowers:test-driven-development'] },
  },
  { text: 'Use kit:to-docx skill if available.', expected: { skills: ['to-docx'] } },
  {
    text: 'Use the `kit:a-b` skill. Then use kit:c-d, with mode:not-loud.',
    expected: { skills: ['a-b', 'c-d'], mentions: ['mode:not-loud'] },
  },
  { text: 'Use `openai:gpt-5` for this skill.', expected: { skills: [] } },
  { text: 'The `kit:to-docx` skill.', expected: { skills: ['to-docx'] } },
  { text: 'Use the `a-b` and `kit:c-d` skills.', expected: { skills: ['a-b', 'c-d'] } },
  { text: 'The `/to-docx` skill.', expected: { skills: ['to-docx'] } },
  { text: 'Run a `/grilling` session.', expected: { skills: ['grilling'] } },
  { text: 'Then use /tidy-up.', expected: { skills: [], mentions: ['tidy-up'] } },
  { text: '(**/tidy-up**, `/to-x now`)', expected: { mentions: ['tidy-up', 'to-x'] } },
  { text: 'GET /users, a/b, /a/b, </p>, /c.md or ~/d', expected: { skills: [], mentions: [] } },
  { text: code('/deploy'), expected: { mentions: [] } },
  { text: 'A **model-invoked** skill has a description.', expected: { skills: [] } },
  { text: 'Covers the repo-local skill files.', expected: { skills: [] } },
  { text: '## Related skills\n- **security** - of data', expected: { skills: [] } },
  { text: 'Never use the Chrome MCP tools in Chrome.', expected: { servers: [] } },
  { text: 'Never call `mcp__chrome__click`.', expected: { servers: [] } },
  { text: '`mcp__server__x`, mcp__my_domain__y, mcp__servername__z', expected: { servers: [] } },
  { text: '"Windows MCP servers" of Windows', expected: { servers: [] } },
  { text: 'Store it as `$FILE_LIST`. Then read `$FILE_LIST`.', expected: { variables: [] } },
  { text: code('curl -d "$ROLE_NAME" $API_URL'), expected: { variables: ['API_URL'] } },
  {
    text: `The environment variable ROLE_NAME.\n${code('x $ROLE_NAME')}`,
    expected: { variables: ['ROLE_NAME'] },
  },
  { text: 'User: "How do I read and edit a file in Swift?"', expected: { fileWriting: false } },
  { text: 'A flag `process.env.VERCEL` of the host', expected: { variables: [] } },
  { text: '- `-w <file>`: Write to file', expected: { fileWriting: false } },
  { text: 'Enable it for input (e.g., `git rebase`).', expected: { programs: [] } },
  { text: code('SKILL_DIR="<absolute path>"\nls $SKILL_DIR'), expected: { variables: [] } },
  {
    text: 'In ${CLAUDE_PLUGIN_ROOT:-x} and ${CLAUDE_PLUGIN_ROOT}.',
    expected: { placeholders: ['${CLAUDE_PLUGIN_ROOT}'] },
  },
  { text: 'Never set `OLD_API_KEY`.', expected: { variables: [] } },
  { text: 'Use the `docx` skill.', expected: { skills: ['docx'] } },
  { text: 'Call mcp__github__search.', expected: { servers: ['github'] } },
  { text: 'Set `STRIPE_API_KEY`.', expected: { variables: ['STRIPE_API_KEY'] } },
  { text: code('curl -H "X: $MY_TOKEN" $HOME'), expected: { variables: ['MY_TOKEN'] } },
  {
    text: 'Fix $ARGUMENTS in ${CLAUDE_SKILL_DIR}.',
    expected: { placeholders: ['$ARGUMENTS', '${CLAUDE_SKILL_DIR}'] },
  },
  { text: 'Fix $1, not `$2`, \\$3 or $0.10.', expected: { placeholders: ['$1'] } },
  {
    text: 'State: !`git status`',
    expected: { shell: true, programs: ['git'], placeholders: ['!`…`'] },
  },
  { text: 'Example: When building a `pdf-editor` skill, plan it.', expected: { skills: [] } },
  { text: 'Use one, e.g. the `docx` skill.', expected: { skills: [] } },
  { text: 'See the example. Then use the `docx` skill.', expected: { skills: ['docx'] } },
  { text: '[An example](../docx/SKILL.md)', expected: { skills: ['docx'] } },
  { text: 'Add com.google.genai:google-genai.', expected: { skills: [] } },
  { text: code('serve &\nVIEWER_PID=$!\nkill $VIEWER_PID'), expected: { variables: [] } },
  { text: code('export NODE_ENV=test\necho $NODE_ENV'), expected: { variables: [] } },
  { text: code('MY_TOKEN=$(get) x\nx $MY_TOKEN'), expected: { variables: [] } },
  { text: code('export MY_TOKEN=abc'), expected: { shell: true, variables: ['MY_TOKEN'] } },
  { text: code('export MY_TOKEN="${MY_TOKEN}"'), expected: { variables: ['MY_TOKEN'] } },
  { text: code('export MY_TOKEN="$(get)"'), expected: { variables: [] } },
  { text: code('PROJECT_ID=<yours>\nx $PROJECT_ID'), expected: { variables: ['PROJECT_ID'] } },
  { text: code('PROJECT_ID="<yours>"\nx $PROJECT_ID'), expected: { variables: ['PROJECT_ID'] } },
  { text: code('MY_PLACE="$MY_PLACE/x"'), expected: { variables: ['MY_PLACE'] } },
  { text: code('export PROJECT_ID="your-id"'), expected: { variables: ['PROJECT_ID'] } },
  { text: 'Installation: `pip install scvelo`', expected: { programs: ['pip'] } },
  { text: 'First run `gh auth status`.', expected: { shell: true, programs: ['gh'] } },
  { text: '- `gh run view <id> --log`', expected: { programs: ['gh'] } },
  { text: 'Get the difference: `git diff main`', expected: { programs: ['git'] } },
  { text: code('tag: $IMAGE_TAG', 'yaml'), expected: { variables: [] } },
  { text: code('x ${MY_MODE:-fast}'), expected: { variables: [] } },
  { text: code('MODE=${MY_MODE:-fast}'), expected: { variables: [] } },
  { text: code('BASE_URL="https://a.org/b"\ncurl $BASE_URL'), expected: { variables: [] } },
  { text: 'The Linear MCP server must be connected.', expected: { servers: ['linear'] } },
  { text: 'If Notion MCP is not connected, stop.', expected: { servers: ['notion'] } },
  { text: 'Build a Python MCP server.', expected: { servers: [] } },
  { text: '| Exact MCP tool name |', expected: { servers: [] } },
  { text: '### 2. Validate MCP Tool definitions', expected: { servers: [] } },
  { text: 'If it fails, use the app-feedback skill.', expected: { skills: ['app-feedback'] } },
  { text: 'See the **cro** skill.', expected: { skills: ['cro'] } },
  { text: 'Then use the **copy-editing** skill.', expected: { skills: ['copy-editing'] } },
  { text: '- Save to `.agents/context.md`', expected: { fileWriting: true } },
  { text: 'Create a folder for the run.', expected: { fileWriting: true } },
  { text: 'Always save into a new folder.', expected: { fileWriting: true } },
  { text: 'Save in `./docs/design.md`.', expected: { fileWriting: true } },
  { text: 'First do [setup](../../doca-setup/SKILL.md).', expected: { skills: ['doca-setup'] } },
  { text: 'See @skills/tune-memory/SKILL.md.', expected: { skills: ['tune-memory'] } },
  { text: 'Run a:tests:all-of-them.', expected: { skills: [] } },
  {
    text: code('cd x && npm test | jq . || ROOT=$(git root)\ngrep "(go|node)"'),
    expected: { programs: ['npm', 'jq', 'git'] },
  },
  {
    text: code('# Settings\nMY_HOST=<host>\nexport MY_NAME=me'),
    expected: { variables: ['MY_HOST'] },
  },
  { text: code('MY_HOST=$(hostname)'), expected: { shell: true, variables: [] } },
  { text: code('MY_HOST=a\ncurl $MY_HOST'), expected: { shell: true, variables: [] } },
  { text: 'Set `REPO_URL`.', expected: { variables: ['REPO_URL'] } },
  { text: 'local $CLAUDE_APP', expected: { placeholders: [] } },
  { text: '## Related Skills\n\n- `docx` - writes', expected: { skills: ['docx'] } },
  {
    text: '### Other skills\n\n| `/docx` | writes |\n## Next\n- `x`',
    expected: { skills: ['docx'] },
  },
  {
    text: 'Related skills: `to-docx` and\n`to-pdf`.\n\n`to-x`',
    expected: { skills: ['to-docx', 'to-pdf'] },
  },
  { text: 'This is the to-docx skill.', expected: { skills: ['to-docx'] } },
  { text: '- **to-docx skill:** writes', expected: { skills: ['to-docx'] } },
  { text: 'Skills go to "the `docx` skill".', expected: { skills: [] } },
  { text: 'Read {baseDir}/forms.md.', expected: { placeholders: ['{baseDir}'] } },
  { text: 'In the end - write a report to `out/`', expected: { fileWriting: true } },
  { text: 'Ready → save the file.', expected: { fileWriting: true } },
  { text: 'Set the version in `package.json`.', expected: { fileWriting: true } },
  { text: 'Mend it by editing the generated code.', expected: { fileWriting: true } },
  { text: 'Create a summary (see forms.md).', expected: { fileWriting: false } },
  { text: 'Create a summary from the file.', expected: { fileWriting: false } },
  { text: 'Add file metadata.', expected: { fileWriting: false } },
  { text: 'Ask to create a file.', expected: { fileWriting: false } },
  { text: 'List them: `slither . --json`', expected: { shell: true, programs: [] } },
  { text: 'Never `git push` or `npm publish`.', expected: { shell: false, programs: [] } },
  { text: 'Use `npm ci` instead of `npm install`.', expected: { programs: ['npm'] } },
  { text: 'Use `uv sync` instead of `pip install`.', expected: { programs: ['uv'] } },
  { text: 'Use `$TURBO_ROOT$` for the root.', expected: { variables: [] } },
])('of "$text"', ({ text, expected }) => {
  expect(presuppositionsOf(aSkill(text))).toMatchObject(expected)
})

test('files that the text names are its own scripts and references, as texts write them', () => {
  const files = ['scripts/fill.py', 'forms.md', 'unused.md'].map((path) => ({ path, text: path }))
  const skill = aSkill('Read FORMS.md, then run `python ./scripts/fill.py`.', { files })
  expect(presuppositionsOf(skill)).toMatchObject({
    shell: true,
    programs: ['python3'],
    scripts: ['scripts/fill.py'],
    references: ['forms.md'],
  })
})

test.each(['templates', 'assets', 'examples'])('code in the folder %s is not run', (folder) => {
  const files = [`${folder}/page.js`, 'scripts/make.js'].map((path) => ({ path, text: path }))
  const skill = aSkill(`Copy \`${folder}/page.js\`.`, { files })
  expect(presuppositionsOf(skill)).toMatchObject({ shell: false, scripts: [] })
})

test('the description names other skills, too', () => {
  const skill = aSkill('Fill it.', { description: 'For Word, use the `docx` skill.' })
  expect(presuppositionsOf(skill)).toMatchObject({ skills: ['docx'] })
})

test('it says what a workspace lacks', () => {
  const skill = aSkill(
    `Create a file.\n${code('git log')}\nUse the \`docx\` skill. Call mcp__github__search.`,
  )
  const means = { skills: new Set<string>(), toolsByHash: new Map() }
  expect(describePresuppositions(skill, means)).toEqual({
    presupposes: ['shell', 'file writing', 'git', 'skill docx', 'server github'],
    lacks: ['shell', 'file writing', 'skill docx', 'server github'],
  })
  const tools = ['run_shell_command', 'mcp__github__search']
  expect(describePresuppositions(skill, means, tools).lacks).toEqual(['skill docx'])
  const toolsByHash = new Map(tools.map((name) => [name, { name }]))
  expect(describePresuppositions(skill, { ...means, toolsByHash }).lacks).toEqual(['skill docx'])
})

test('names that a text gives are skills where they are defined, with servers and commands', () => {
  const skill = aSkill(
    'Use /tidy-up, kit:pack, kit:fix, kit:gone and openai:gpt-5. Call mcp__plugin_kit_till__add and mcp__shop__buy.',
  )
  const means = {
    skills: new Set(['tidy-up', 'pack']),
    toolsByHash: new Map(),
    servers: new Set(['till']),
    names: new Set(['kit:', 'kit:fix', 'fix']),
  }
  expect(describePresuppositions(skill, means)).toEqual({
    presupposes: [
      'skill tidy-up',
      'skill pack',
      'skill gone',
      'server plugin_kit_till',
      'server shop',
    ],
    lacks: ['skill gone', 'server shop'],
  })
})

test.each([
  '`',
  '!`',
  '/a',
  '`/a` and ',
  '`a`, ',
  'store `',
  '$A_KEY',
  '$A_',
  'create ',
  'a:b-',
  '../',
  'a.',
  'skill `',
  '```',
  'mcp__',
  ' x.y/',
  'A MCP ',
  'run `',
  '`pip install ',
  'agent `',
  '- `a',
  '--a ',
  'a --',
  'never `a b` or ',
  '# Related skills\n',
  'Related skills `a-',
  '** skill:',
])('a text of a million characters of "%s" is read in part', (part) => {
  const { length } = Object.keys(presuppositionsOf(aSkill(part.repeat(1_000_000 / part.length))))
  expect(length).toBe(10)
})

const WRITTEN = /(?:\.\/)?[\w@-]+(?:[./][\w@-]+)*\.\w{1,8}\b/gu

test('every path that a text of the corpus writes and that means exactly one file is found', async () => {
  const { catalog } = await openProject(['tests/corpus'])
  let checked = 0
  for (const skill of [...catalog.skills.values(), ...catalog.shadowedSkills]) {
    const markdown = skill.files.filter(({ path }) => path.endsWith('.md'))
    const texts = await Promise.all(markdown.map(({ path }) => skill.readFile?.(path) ?? ''))
    for (const text of [skill.instructions, ...texts]) {
      for (const [written] of text.matchAll(WRITTEN)) {
        const folded = written.replace(/^\.\//u, '').toLowerCase()
        const [meant, second] = skill.files.filter(({ path }) => path.toLowerCase() === folded)
        if (meant === undefined || second !== undefined) continue
        const forms = [
          written,
          `./${meant.path}`,
          meant.path.toUpperCase(),
          `${skill.baseDirectory}/${meant.path}`,
        ]
        for (const form of forms) expect(findSkillFile(skill, form)?.path).toBe(meant.path)
        checked += 1
      }
    }
  }
  expect(checked).toBeGreaterThan(200)
})
