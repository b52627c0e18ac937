import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSkillFile } from '../../../src/skills/parse/parse-skill-file.ts'

const read = (frontMatter: string, { body = 'Do it well.', folder = 'demo' } = {}) =>
  parseSkillFile({ text: `---\n${frontMatter}\n---\n${body}`, file: 'demo/SKILL.md', folder })

const codes = (frontMatter: string, options = {}) =>
  read(frontMatter, options).diagnostics.map(({ code }) => code)

const SOUND = 'name: demo\ndescription: Shows how.'

test('a sound file gives a definition and no findings', () => {
  const parsed = read(
    `${SOUND}\nlicense: MIT\ncompatibility: Node 22\nallowed-tools: Read Bash(git add:*)`,
    {
      body: '\r\n\r\n# Demo\r\n\r\nDo it.\r\n',
    },
  )
  expect(parsed.diagnostics).toEqual([])
  expect(parsed.definition).toMatchObject({
    name: 'demo',
    description: 'Shows how.',
    license: 'MIT',
    compatibility: 'Node 22',
    permissions: ['Read', 'Bash(git add:*)'],
    instructions: '# Demo\r\n\r\nDo it.',
  })
})

test('our own keys are read flat and nested, and are not metadata', () => {
  const flat = read(`${SOUND}
metadata:
  author: somebody
  version: "2.1"
  loadout.tools: "search@^1 fetch"
  loadout.toolsets: web-tools, more
  loadout.requires: base
  loadout.conflicts: "other"
  loadout.connect: activation
  loadout.extends: parent
  loadout.exclusive: "true"
  loadout.lifetime: 3 uses
  loadout.aliases: Money Back, refunds
  loadout.triggers: "I want my money back, refund"
  loadout.when-to-use: When somebody wants money back.
  loadout.display-name: Refunds!
  loadout.tags: shop money
  loadout.on-conflict: namespace`)
  expect(flat.diagnostics).toEqual([])
  expect(flat.definition).toMatchObject({
    version: '2.1',
    metadata: { author: 'somebody', version: '2.1' },
    tools: ['search@^1', 'fetch'],
    toolsets: ['web-tools', 'more'],
    requires: ['base'],
    conflicts: ['other'],
    connect: 'activation',
    extends: ['parent'],
    exclusive: true,
    lifetime: { uses: 3 },
    aliases: ['Money Back', 'refunds'],
    triggers: ['I want my money back', 'refund'],
    whenToUse: 'When somebody wants money back.',
    displayName: 'Refunds!',
    tags: ['shop', 'money'],
    onConflict: 'namespace',
  })
  const nested = read(`${SOUND}\nmetadata:\n  loadout:\n    tools: [search]\n    exclusive: true`)
  expect(nested.diagnostics).toEqual([])
  expect(nested.definition).toMatchObject({ tools: ['search'], exclusive: true, metadata: {} })
})

test.each([
  ['./src/**', '"./src/**" matches no file'],
  ['[src/**, ~/a, "#b"]', '"~/a" and "#b" match no file'],
  ['["!docs/**"]', '"!docs/**" matches no file'],
  ['[src/**, "!src/x/**"]', undefined],
  ['C:/a/**', '"C:/a/**" matches no file'],
])('patterns of files that can match nothing are named: %s', (paths, expected) => {
  const [finding] = read(`${SOUND}\npaths: ${paths}`).diagnostics
  expect(finding?.message).toEqual(expected && expect.stringContaining(expected))
})

test('a condition is read as one text for each member, as a mapping, and as the paths of Claude Code', () => {
  const flat = read(`${SOUND}
paths: "src/**/*.{ts,tsx}, docs/**"
metadata:
  loadout.when.paths: "src/**/*.{ts,tsx}, docs/**"
  loadout.when.calls: run_tests:error build
  loadout.when.mode: voice`)
  expect(flat.diagnostics).toEqual([])
  expect(flat.definition).toMatchObject({
    paths: ['src/**/*.{ts,tsx}', 'docs/**'],
    when: {
      paths: ['src/**/*.{ts,tsx}', 'docs/**'],
      calls: [{ tool: 'run_tests', status: 'error' }, { tool: 'build' }],
      mode: ['voice'],
    },
    metadata: {},
  })
  const nested = read(`${SOUND}
paths: [a, b]
metadata:
  loadout:
    when:
      calls: [{ tool: run_tests, status: error }, build]
      principal: [ada, bob]
      event: outage`)
  expect(nested.diagnostics).toEqual([])
  expect(nested.definition).toMatchObject({
    paths: ['a', 'b'],
    when: {
      calls: [{ tool: 'run_tests', status: 'error' }, { tool: 'build' }],
      principal: ['ada', 'bob'],
      event: ['outage'],
    },
  })
})

test.each([
  ['an unknown member', 'loadout.when.branch: main', 7],
  ['an unknown member of a mapping', 'loadout: { when: { paths: a, branch: main } }', 7],
  ['a status that no call has', 'loadout.when.calls: build:perhaps', 7],
  ['an empty list', 'loadout: { when: { paths: [] } }', 7],
  ['a text', 'loadout.when: sometimes', 7],
])('a condition with %s is not used at all, and a finding names the line', (_, line, at) => {
  const { definition, diagnostics } = read(
    `${SOUND}\nmetadata:\n  author: somebody\n  loadout.when.mode: voice\n  ${line}`,
  )
  expect(definition?.when).toBeUndefined()
  expect(diagnostics.filter(({ code }) => code === 'field-value')).toMatchObject([{ line: at }])
})

test('toolsets and files of Carnet are read and reported as not portable', () => {
  const parsed = read(
    `${SOUND}\ntoolsets:\n  - web\nfiles:\n  - path: ./a.md\n    description: An A\n  - b.md`,
  )
  expect(parsed.definition?.toolsets).toEqual(['web'])
  expect(parsed.listed).toMatchObject([
    { path: 'a.md', description: 'An A' },
    { path: 'b.md', description: '' },
  ])
  expect(parsed.diagnostics).toMatchObject([
    { code: 'field-not-portable', severity: 'info', line: 4 },
    { code: 'field-not-portable', severity: 'info', line: 6 },
  ])
})

test.each([
  { name: 'no name', text: 'description: D.', code: 'name-missing', as: 'demo' },
  {
    name: 'another name than the folder',
    text: 'name: other\ndescription: D.',
    code: 'name-mismatch',
    as: 'other',
  },
  {
    name: 'capitals',
    text: 'name: Demo\ndescription: D.',
    folder: 'Demo',
    code: 'name-invalid',
    as: 'Demo',
  },
  {
    name: 'double hyphens',
    text: 'name: a--b\ndescription: D.',
    folder: 'a--b',
    code: 'name-invalid',
    as: 'a--b',
  },
  {
    name: 'spaces',
    text: 'name: My Skill\ndescription: D.',
    folder: 'My Skill',
    code: 'name-invalid',
    as: 'My-Skill',
  },
  {
    name: 'a path',
    text: 'name: ../../etc\ndescription: D.',
    folder: '../../etc',
    code: 'name-invalid',
    as: 'etc',
  },
  {
    name: 'a long name',
    text: `name: ${'a'.repeat(65)}\ndescription: D.`,
    folder: 'a'.repeat(65),
    code: 'name-invalid',
    as: 'a'.repeat(64),
  },
])('a skill with $name loads with $code', ({ text, folder = 'demo', code, as }) => {
  const parsed = read(text, { folder })
  expect(parsed.diagnostics).toMatchObject([{ code, severity: 'warning' }])
  expect(parsed.definition?.name).toBe(as)
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  '%s is a name, a metadata key and an alias like any other',
  (name) => {
    const { definition } = read(
      `name: ${name}\ndescription: D.\nmetadata:\n  ${name}: text\n  loadout.aliases: ${name}`,
      { folder: name },
    )
    expect(definition?.name).toBe(name)
    expect(Object.entries(definition?.metadata ?? {})).toEqual([[name, 'text']])
    expect(definition?.aliases).toEqual([name])
  },
)

test.each([
  {
    name: 'a long description',
    text: `name: demo\ndescription: ${'d'.repeat(1025)}`,
    code: 'description-too-long',
  },
  {
    name: 'a long compatibility',
    text: `${SOUND}\ncompatibility: ${'d'.repeat(501)}`,
    code: 'compatibility-too-long',
  },
  { name: 'an unknown field', text: `${SOUND}\nlicence: MIT`, code: 'unknown-field' },
  {
    name: 'an unknown key of ours',
    text: `${SOUND}\nmetadata:\n  loadout.toolset: x`,
    code: 'unknown-field',
  },
  {
    name: 'an unquoted colon',
    text: 'name: demo\ndescription: Use it: often: yes',
    code: 'unquoted-colon',
  },
  {
    name: 'a sign of YAML',
    text: 'name: demo\ndescription: @names: find them',
    code: 'unquoted-value',
  },
  { name: 'a tab', text: `${SOUND}\nmetadata:\n\tauthor: me`, code: 'tab-indentation' },
  {
    name: 'a list of permissions',
    text: `${SOUND}\nallowed-tools: [Read, Write]`,
    code: 'allowed-tools-form',
  },
  {
    name: 'commas between permissions',
    text: `${SOUND}\nallowed-tools: Read, Write`,
    code: 'allowed-tools-form',
  },
  {
    name: 'metadata that is no text',
    text: `${SOUND}\nmetadata:\n  tags: [a, b]`,
    code: 'metadata-not-text',
  },
  { name: 'metadata that is no mapping', text: `${SOUND}\nmetadata: [a]`, code: 'field-kind' },
  { name: 'a list for a licence', text: `${SOUND}\nlicense: [MIT]`, code: 'field-kind' },
  {
    name: 'no truth',
    text: `${SOUND}\nmetadata:\n  loadout.exclusive: perhaps`,
    code: 'field-kind',
  },
  {
    name: 'no lifetime',
    text: `${SOUND}\nmetadata:\n  loadout.lifetime: forever`,
    code: 'field-value',
  },
  {
    name: 'no such choice',
    text: `${SOUND}\nmetadata:\n  loadout.on-conflict: win`,
    code: 'field-value',
  },
  {
    name: 'no such moment',
    text: `${SOUND}\nmetadata:\n  loadout.connect: at once`,
    code: 'field-value',
  },
  { name: 'no description', text: 'name: demo', code: 'description-missing' },
])('$name is read with $code', ({ text, code }) => {
  const { definition, diagnostics } = read(text)
  expect(definition).not.toBeNull()
  expect(diagnostics.map((one) => one.code)).toContain(code)
  expect(
    diagnostics.every(({ severity, line }) => severity !== 'error' && line !== undefined),
  ).toBe(true)
})

test.each([
  { text: '# No front matter', code: 'front-matter-missing' },
  { text: '---\nname: demo', code: 'front-matter-unclosed' },
  { text: '---js\nprocess.exit(1)\n---\n', code: 'front-matter-engine' },
  { text: '---\n- a\n- b\n---\n', code: 'yaml-invalid' },
  { text: '---\nname: "demo\n---\n', code: 'yaml-invalid' },
  { text: '---\nname: a\nname: b\ndescription: D.\n---\n', code: 'duplicate-key' },
  { text: '---\nname: demo\n---\n# Only a title\n', code: 'description-missing' },
  { text: `---\nname: demo\nx: ${'y'.repeat(70_000)}\n---\n`, code: 'front-matter-too-long' },
])('a file is not loaded, with the reason: $code', ({ text, code }) => {
  const parsed = parseSkillFile({ text, file: 'demo/SKILL.md', folder: 'demo' })
  expect(parsed.definition).toBeNull()
  expect(parsed.diagnostics.at(-1)).toMatchObject({
    code,
    severity: 'error',
    file: 'demo/SKILL.md',
  })
})

test('an unquoted colon may run over lines and hold quotes', () => {
  const parsed = read(
    "name: demo\ndescription: Use when: it's late\n  or somebody says: don't\nlicense: MIT",
  )
  expect(parsed.definition).toMatchObject({
    description: "Use when: it's late or somebody says: don't",
    license: 'MIT',
  })
  expect(parsed.diagnostics).toMatchObject([{ code: 'unquoted-colon', line: 3 }])
})

test('findings name the problem, its place, and what to do', () => {
  const { diagnostics } = read('name: Other Name\ndescription: D.\ndescriptoin: x')
  expect(
    diagnostics.map(({ line, column, message, hint }) => `${line}:${column} ${message} ${hint}`),
  ).toMatchInlineSnapshot(`
    [
      "2:7 The name "Other Name" cannot be used; the skill is named "Other-Name". Use 1 to 64 lower-case letters, digits and single hyphens.",
      "2:7 The skill is named "Other Name" but its folder is "demo". Give the folder and the skill the same name.",
      "4:1 The field "descriptoin" is unknown and has no effect. Did you mean "description"?",
    ]
  `)
})

test('without a description the first paragraph of prose is used', () => {
  const body = '\n# Title\n\n```sh\nrm -rf /\n```\n\nFirst line\nsecond line.\n\nMore.'
  expect(read('name: demo', { body }).definition?.description).toBe('First line second line.')
})

test('wildcard permissions are kept as a request and grant nothing', () => {
  expect(codes(`${SOUND}\nallowed-tools: "*"`)).toEqual([])
  expect(read(`${SOUND}\nallowed-tools: "*"`).definition?.permissions).toEqual(['*'])
})

test('for any text between the fences, reading ends with a definition or an error', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'name: a',
      'description: b: c',
      '\tx: 1',
      'metadata:',
      '  - x',
      '- {a: [',
      '*a',
      '&a *a',
    ),
    fc.string().map((text) => `description: ${text}`),
    fc.string().map((text) => `metadata: {loadout: {${text}}}`),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const { definition, diagnostics } = read(lines.join('\n'))
      const failed = diagnostics.some(({ severity }) => severity === 'error')
      expect(definition === null).toBe(failed)
    }),
  )
})

test('fields of other clients that say who may use a skill are read', () => {
  const { definition, diagnostics } = parseSkillFile({
    file: 'SKILL.md',
    folder: 'deploy',
    text: '---\nname: deploy\ndescription: x\ndisable-model-invocation: true\nuser-invocable: false\nwhen_to_use: On Fridays\n---\nBody\n',
  })
  expect(definition).toMatchObject({
    disableModelInvocation: true,
    userInvocable: false,
    whenToUse: 'On Fridays',
  })
  expect(diagnostics).toEqual([])
})
