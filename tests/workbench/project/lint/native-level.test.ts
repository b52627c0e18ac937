import { describe, expect, test } from 'vitest'
import { type Tree } from '../temporary-folder.ts'
import { codesIn, lintTree } from './lint-tree.ts'

const GOOD = 'Sorts incoming mail by sender and topic. Use when the inbox is full.'

function skill(name: string, more = '', body = '# Do it\n\nStep by step.\n', description = GOOD) {
  return {
    [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}`,
  }
}

function tool(
  folder: string,
  more: object = {},
  description = 'Finds pages by their title.',
): Tree {
  const name = folder.split('/').at(-1) ?? ''
  const parameters = { type: 'object', properties: {}, additionalProperties: false }
  const schema = { toolId: name, description, parameters, phrases: ['find me a page'], ...more }
  return {
    [`${folder}/schema.json`]: JSON.stringify(schema),
    [`${folder}/doc_summary.md`]: `${description}\nUse it first.\n`,
    [`${folder}/handler.js`]: 'export const execute = () => 1\n',
  }
}

test('a sound project has no findings', async () => {
  const report = await lintTree({
    ...skill(
      'mail',
      'metadata:\n  loadout.topic: mail\n',
      'See [the guide](references/guide.md).\n',
    ),
    'skills/mail/references/guide.md': '[back](../SKILL.md) and `references/guide.md`\n',
    ...tool('skills/mail/tools/find_page'),
    'rules/mail.md': '# Mail\n\nAsk first.\n',
  })
  expect(codesIn(report)).toEqual([])
  expect(report).toMatchObject({ ok: true, checked: 3, level: 'native' })
})

/** Files, and a finding that must be among those about them. */
interface Case {
  readonly what: string
  readonly tree: Tree
  readonly finding: object
}

const HIDDEN = 'Read\u200Bthis.\n'

describe.each<Case>([
  {
    what: 'instructions that ask for a script, which a project does not run',
    tree: {
      ...skill('mail', '', 'Look in scripts/.\n\n```sh\npython scripts/sort.py --all\n```\n'),
      'skills/mail/scripts/sort.py': 'print(1)\n',
    },
    finding: {
      code: 'scripts-not-run',
      severity: 'info',
      message: expect.stringContaining('"scripts/sort.py"'),
      line: 9,
      column: 8,
    },
  },
  {
    what: 'a link to nothing',
    tree: skill('mail', '', '# Do it\n\nSee [it](references/guide.md).\n'),
    finding: { code: 'link-missing', line: 8, column: 10 },
  },
  {
    what: 'a link to a file of nearly that name',
    tree: { ...skill('mail', '', '[it](guide.md)\n'), 'skills/mail/references/guides.md': 'x\n' },
    finding: { code: 'link-missing', hint: 'Did you mean "references/guides.md"?' },
  },
  {
    what: 'a link to nothing in another file',
    tree: { ...skill('mail'), 'skills/mail/references/a.md': 'x\n\n[b](b.md)\n' },
    finding: { code: 'link-missing', line: 3, column: 5, file: expect.stringMatching(/a\.md$/) },
  },
  {
    what: 'a link out of the skill',
    tree: { ...skill('mail', '', '[it](../other/SKILL.md)\n'), ...skill('other') },
    finding: { code: 'link-leaves-skill' },
  },
  {
    what: 'a script that is named and not there',
    tree: skill('mail', '', 'Run `scripts/sort.py`.\n'),
    finding: { code: 'mention-missing', severity: 'info' },
  },
  {
    what: 'a hidden character in instructions',
    tree: skill('mail', '', HIDDEN),
    finding: {
      code: 'hidden-character',
      line: 6,
      column: 5,
      message: expect.stringContaining('U+200B'),
    },
  },
  {
    what: 'a bidi override in the documentation of a tool',
    tree: {
      ...tool('tools/find_page'),
      'tools/find_page/doc.md': '# find_page\n\na\u202Eb\u202Ec\n',
    },
    finding: { code: 'hidden-character', message: expect.stringContaining('U+202E, 2 times') },
  },
  {
    what: 'a tag character in rules',
    tree: { 'rules/a.md': 'x\u{E0041}' },
    finding: { code: 'hidden-character', message: expect.stringContaining('U+E0041') },
  },
  {
    what: 'instructions of 501 lines',
    tree: skill('mail', '', 'Sort.\n'.repeat(501)),
    finding: { code: 'instructions-lines', line: 5 },
  },
  {
    what: 'instructions of more than 5,000 tokens',
    tree: skill('mail', '', 'sort the mail '.repeat(2_000)),
    finding: { code: 'instructions-tokens', message: expect.stringContaining('o200k_base') },
  },
  {
    what: 'no instructions and no tools',
    tree: skill('mail', '', ''),
    finding: { code: 'instructions-missing' },
  },
  {
    what: 'a vague description',
    tree: skill('mail', '', 'x\n', 'A helpful tool that helps you with mail tasks when needed.'),
    finding: { code: 'description-vague', line: 3, column: 14 },
  },
  {
    what: 'a description that does not say when',
    tree: skill('mail', '', 'x\n', 'Sorts incoming letters by sender and topic.'),
    finding: { code: 'trigger-missing', line: 3 },
  },
  {
    what: 'allowed-tools that match nothing',
    tree: {
      ...skill('mail', 'allowed-tools: find_pagee\n'),
      ...tool('skills/mail/tools/find_page'),
    },
    finding: {
      code: 'allowed-tools-unmatched',
      severity: 'warning',
      hint: 'Did you mean "find_page"?',
      line: 4,
    },
  },
  {
    what: 'allowed-tools of a coding agent',
    tree: skill('mail', 'allowed-tools: Bash(git:*)\n'),
    finding: { code: 'allowed-tools-unmatched', severity: 'info' },
  },
  {
    what: 'a toolset that is not there',
    tree: skill('mail', 'metadata:\n  loadout.toolsets: letters\n'),
    finding: { code: 'unknown-toolset' },
  },
  {
    what: 'a tool that is not defined',
    tree: skill('mail', 'metadata:\n  loadout.tools: letters\n'),
    finding: { code: 'unknown-tool' },
  },
  {
    what: 'a file that is listed and not there',
    tree: skill('mail', 'files:\n  - path: a.md\n'),
    finding: { code: 'file-missing' },
  },
  {
    what: 'a tool without phrases',
    tree: tool('tools/find_page', { phrases: [] }),
    finding: { code: 'phrases-missing', severity: 'info' },
  },
  {
    what: 'a tool without a topic where there are rules',
    tree: { ...tool('tools/find_page'), 'rules/pages.md': 'Ask first.\n' },
    finding: { code: 'topic-missing' },
  },
  {
    what: 'a tool with another topic than the rules',
    tree: { ...tool('tools/find_page', { topic: 'page' }), 'rules/pages.md': 'Ask first.\n' },
    finding: { code: 'topic-without-rules', hint: 'Did you mean "pages"?' },
  },
  {
    what: 'rules that are never shown',
    tree: { ...tool('tools/find_page', { topic: 'page' }), 'rules/pages.md': 'Ask first.\n' },
    finding: { code: 'rules-unused' },
  },
  {
    what: 'a related tool that is not there',
    tree: tool('tools/find_page', { related: ['find_post'] }),
    finding: { code: 'related-unknown', message: expect.stringContaining('"find_post"') },
  },
  {
    what: 'a tool related to itself',
    tree: tool('tools/find_page', { related: ['find_page'] }),
    finding: { code: 'related-unknown', message: expect.stringContaining('itself') },
  },
  {
    what: 'a definition of many tokens',
    tree: tool('tools/find_page', {}, 'Finds pages by their title. '.repeat(200)),
    finding: { code: 'tool-tokens' },
  },
  {
    what: 'a pattern that is not checked',
    tree: tool('tools/find_page', {
      parameters: { type: 'object', properties: { a: { type: 'string', pattern: '(a)\\1' } } },
    }),
    finding: {
      code: 'pattern-unchecked',
      file: expect.stringMatching(/find_page\/schema\.json$/),
      message:
        'The tool "find_page" has the pattern "(a)\\1", which is not checked, because it refers back to a group.',
    },
  },
  {
    what: 'a format that nothing checks',
    tree: tool('tools/find_page', {
      parameters: { type: 'object', properties: { a: { type: 'string', format: 'date' } } },
    }),
    finding: { code: 'format-unchecked', severity: 'info' },
  },
  {
    what: 'a schema that providers get otherwise',
    tree: tool('tools/find_page', {
      parameters: { type: 'object', properties: { $top: { type: 'integer' } } },
    }),
    finding: {
      code: 'schema-sent-otherwise',
      severity: 'info',
      message: expect.stringContaining('"_top"'),
    },
  },
  {
    what: 'a summary of many tokens',
    tree: tool('tools/find_page', {}, 'Finds pages by their title. '.repeat(30)),
    finding: { code: 'summary-tokens' },
  },
  {
    what: 'two shared tools of one name and version',
    tree: {
      ...tool('tools/find_page'),
      'tools/b/TOOL.md': '---\nname: find_page\ndescription: Other.\n---\n',
    },
    finding: {
      code: 'duplicate-tool',
      message: expect.stringMatching(/b\/TOOL\.md and .*find_page\/schema\.json/),
    },
  },
  {
    what: 'different tools of one name in two skills',
    tree: {
      ...skill('mail'),
      ...skill('post'),
      ...tool('skills/mail/tools/find_page'),
      ...tool('skills/post/tools/find_page', {}, 'Finds letters by their sender.'),
    },
    finding: {
      code: 'tool-name-taken',
      message: expect.stringMatching(/mail\/SKILL\.md.*post\/SKILL\.md/),
    },
  },
  {
    what: 'two skills of one name',
    tree: {
      ...skill('mail'),
      'skills/z/SKILL.md': `---\nname: mail\ndescription: ${GOOD}\n---\nx\n`,
    },
    finding: {
      code: 'duplicate-skill',
      message: expect.stringMatching(/mail\/SKILL\.md is used.*z\/SKILL\.md is not/),
    },
  },
  {
    what: 'a name in letters that look alike',
    tree: { ...skill('mail'), ...skill('mаil') },
    finding: { code: 'look-alike-name', file: expect.stringContaining('mаil') },
  },
  {
    what: 'a pattern of an agent that matches no tool',
    tree: {
      ...tool('tools/find_page'),
      'agents/a/AGENT.md':
        '---\nname: a\ndescription: d\nmetadata:\n  loadout.tools: write_*\n---\n',
    },
    finding: { code: 'pattern-unmatched', message: expect.stringContaining('"write_*"') },
  },
  {
    what: 'a permission that matches no tool',
    tree: {
      ...tool('tools/find_page'),
      'loadout.config.json': '{"permissions":{"deny":["drop_*"]}}',
    },
    finding: { code: 'pattern-unmatched', file: expect.stringMatching(/loadout\.config\.json$/) },
  },
  {
    what: 'a permission about an argument that its tools do not have',
    tree: {
      ...tool('tools/find_page'),
      'loadout.config.json':
        '{"permissions":{"ask":[{"tool":"find_*","where":{"adress":"*"}},{"tool":"find_*","where":{"any.thing":"*"}}]}}',
    },
    finding: {
      code: 'argument-unmatched',
      message: expect.stringContaining('"adress" in permissions.ask'),
    },
  },
  {
    what: 'skills that say the same',
    tree: { ...skill('letters'), ...skill('envelopes') },
    finding: { code: 'search-confuses', message: expect.stringContaining('"letters"') },
  },
])('$what', ({ tree, finding }) => {
  test('is reported, with what to do, and is no error', async () => {
    const { items, ok } = await lintTree(tree)
    const found = items.flatMap(({ diagnostics }) => diagnostics)
    expect(found).toContainEqual(expect.objectContaining(finding))
    expect(found.every(({ hint }) => hint !== '')).toBe(true)
    expect(ok).toBe(true)
  })

  test('is not reported below native', async () => {
    const code = 'code' in finding ? String(finding.code) : ''
    // Readers report a missing file, too.
    const codes = codesIn(await lintTree(tree, 'portable')).filter((one) => one !== 'file-missing')
    expect(codes).not.toContain(code)
  })
})

test('what is advised at most is no more than advised', async () => {
  const report = await lintTree(skill('mail', '', 'Sort.\n'.repeat(500)))
  expect(codesIn(report)).toEqual([])
})

test('an extraction schema next to an extract function is reported for the configuration', async () => {
  const report = await lintTree(
    {
      'loadout.config.mjs': `export default { tools: [{
        name: 'find_page', description: 'Finds pages.', version: '1.0.0', category: 'retrieval',
        risk: 'safe', phrases: [], related: [], summary: 'Finds pages.', requiresConfirmation: false,
        idempotent: true, inputSchema: { type: 'object' }, hash: 'sha256:0',
        extraction: { path: '$root', type: 'page', nameField: 'title' }, extract: () => [],
        parseInput: async (value) => ({ ok: true, value }),
      }] }\n`,
    },
    'native',
    true,
  )
  expect(codesIn(report)).toContain('extraction-twice')
  expect(report.items).toMatchObject([{ kind: 'config', name: 'loadout.config.mjs' }])
})

test.each([
  [
    'YAML',
    'description: "Sorts \\u202Egnp.txt\\u202C. Use when \\e]52;c;x\\a asked."',
    ['U+202E', 'U+202C', 'U+001B', 'U+0007'],
  ],
  ['YAML', 'description: "Sorts mail. Use when asked."\nlicense: "\\x9b31m"', ['U+009B']],
])(
  'hidden characters behind escapes of %s are found in the value: %s',
  async (_, fields, found) => {
    const report = await lintTree({
      'skills/mail/SKILL.md': `---\nname: mail\n${fields}\n---\n\nDo it.\n`,
    })
    const hidden = report.items.flatMap(({ diagnostics }) =>
      diagnostics.filter(({ code }) => code === 'hidden-character').map(({ message }) => message),
    )
    expect(hidden.map((message) => /U\+\w+/.exec(message)?.[0])).toEqual(found)
  },
)

test('a hidden character behind an escape is found in the topic of rules', async () => {
  const report = await lintTree({
    ...tool('tools/find_page', { topic: 'pages' }),
    'rules/pages.md': '---\ntopic: "pa\\u202Eges"\n---\n\nFind pages first.\n',
  })
  const hidden = report.items
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === 'hidden-character')
  expect(hidden).toMatchObject([
    { file: expect.stringMatching(/rules.pages\.md$/), message: expect.stringContaining('U+202E') },
  ])
})

test('hidden characters behind escapes of JSON are found in names, texts and enums of schemas', async () => {
  const parameters = {
    type: 'object',
    properties: { path: { enum: ['a\u200B'] }, 'k\u2066': { description: '\u001B[31m' } },
    additionalProperties: false,
  }
  const escaped = (text: string) =>
    text.replaceAll(
      /[^\x20-\x7E]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  const files = tool('skills/mail/tools/find_page', { parameters })
  const schema = 'skills/mail/tools/find_page/schema.json'
  const report = await lintTree({
    ...skill('mail'),
    ...files,
    [schema]: escaped(String(files[schema])),
  })
  const messages = report.items
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === 'hidden-character')
    .map(({ message, file }) => [/U\+\w+/.exec(message)?.[0], file?.split('/').at(-1)])
  expect(messages).toEqual([
    ['U+200B', 'schema.json'],
    ['U+2066', 'schema.json'],
    ['U+001B', 'schema.json'],
  ])
})

test.each([
  {
    what: 'the description of a file',
    tree: {
      ...skill('mail', 'files:\n  - path: a.md\n    description: "x\\u202e"\n'),
      'skills/mail/a.md': 'x',
    },
    file: 'skills/mail/SKILL.md',
  },
  {
    what: 'a script of a skill',
    tree: { ...skill('mail'), 'skills/mail/scripts/run.py': '# \u202E' },
    file: 'skills/mail/scripts/run.py',
  },
  {
    what: 'a variable of a configuration, as an escape',
    tree: { ...skill('mail'), 'loadout.config.json': '{"variables":{"COMPANY":"\\u202e"}}' },
    file: 'loadout.config.json',
  },
  {
    what: 'a variable of a configuration',
    tree: { ...skill('mail'), 'loadout.config.json': '{"variables":{"COMPANY":"\u202E"}}' },
    file: 'loadout.config.json',
  },
  {
    what: 'a variable of a Carnet project',
    tree: { ...skill('mail'), 'carnet.config.json': '{"variables":{"COMPANY":"\\u202e"}}' },
    file: 'carnet.config.json',
  },
  {
    what: 'a tool that a toolset of a Carnet project describes',
    tree: {
      'carnet.config.json': '{"app":{}}',
      'toolsets/ads/TOOLSET.md':
        '---\nname: ads\ndescription: Manage ads.\ntools:\n  - name: pause\n    description: "x\\u202e"\n---\n\nUse it.\n',
    },
    file: 'toolsets/ads/TOOLSET.md',
  },
])('a hidden character in $what is found', async ({ tree, file }) => {
  const report = await lintTree(tree)
  const found = report.items
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === 'hidden-character')
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    file: expect.stringMatching(new RegExp(`${file}$`)),
    message: expect.stringContaining('U+202E'),
  })
})

test('a hidden character that is in the file itself is reported once', async () => {
  const report = await lintTree(skill('mail', '', 'Do it.\n', `${GOOD}\u202E`))
  expect(codesIn(report)).toEqual(['hidden-character'])
})

test('a SKILL.MD is not read, and is named', async () => {
  const report = await lintTree({ ...skill('mail'), 'skills/post/SKILL.MD': 'x' })
  expect(codesIn(report)).toEqual(['skill-file-name'])
})

test('skills are found 16 levels deep', async () => {
  const deep = (levels: number) => `${Array.from({ length: levels - 1 }, () => 'x').join('/')}/mail`
  const of = (levels: number) => ({
    [`${deep(levels)}/SKILL.md`]: skill('mail')['skills/mail/SKILL.md'] ?? '',
  })
  expect(await lintTree(of(16))).toMatchObject({ checked: 1 })
  expect(codesIn(await lintTree(of(17)))).toEqual(['scan-cut'])
})

test('a path in another case, and what the skill presupposes, are named', async () => {
  const body = 'Read FORMS.md.\n\n```bash\npython fill.py\n```\n'
  const report = await lintTree({
    ...skill('forms', '', body),
    'skills/forms/forms.md': '# Forms\n',
  })
  const messages = report.items.flatMap(({ diagnostics }) => diagnostics.map((one) => one.message))
  expect(codesIn(report)).toEqual(expect.arrayContaining(['mention-case', 'skill-presupposes']))
  expect(messages).toContain(
    'The text names "FORMS.md", and the file is "forms.md": only programs that ignore case find it.',
  )
  expect(messages).toContain(
    'It presupposes: shell, python3. Not defined here: shell. It names its references forms.md.',
  )
})

test('the scripts and references that a text names are listed in part', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const body = `Run scripts/fill.py.\n\n${names.map((name) => `Read ${name}.md.`).join('\n')}\n`
  const report = await lintTree({
    ...skill('forms', '', body),
    'skills/forms/scripts/fill.py': '',
    ...Object.fromEntries(names.map((name) => [`skills/forms/${name}.md`, '# One\n'])),
  })
  const messages = report.items.flatMap(({ diagnostics }) => diagnostics.map((one) => one.message))
  expect(messages).toContain(
    'It presupposes: shell, python3. Not defined here: shell. It names its scripts scripts/fill.py. ' +
      'It names its references a.md, b.md, c.md, d.md, e.md and 2 more.',
  )
})

test('a rule about a server of the project matches its tools, which are not listed, and a misspelt one is reported', async () => {
  const deny = ['mcp__my-shop', 'mcp__my_shop__delete', 'my-shop_find', 'mcp__shopp__delete']
  const { items } = await lintTree({
    'loadout.config.json': JSON.stringify({ permissions: { deny } }),
    '.mcp.json': JSON.stringify({ mcpServers: { 'my-shop': { command: 'node' } } }),
    'toolsets/shop/TOOLSET.md': '---\nname: shop\ndescription: A shop.\nservers: my-shop\n---\n',
    'skills/sell/SKILL.md':
      '---\nname: sell\ndescription: Sells things.\nallowed-tools: mcp__my-shop__find\nmetadata:\n  loadout.toolsets: shop\n---\nSell.\n',
  })
  const unmatched = items
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code.endsWith('unmatched'))
  expect(unmatched.map(({ message }) => message)).toEqual([
    'The configuration has the pattern "mcp__shopp__delete" in permissions.deny, which matches no tool.',
  ])
})

const ROWS = {
  type: 'object',
  properties: {
    pages: {
      type: 'array',
      items: { type: 'object', properties: { slug: {}, title: { type: 'string' } } },
    },
    open: {},
  },
}

test.each([
  ['its list', { path: 'pages', isArray: true, idField: 'slug', nameField: 'title' }, null],
  ['what a schema leaves open', { path: 'open.deep', nameField: 'x' }, null],
  ['another path', { path: 'rows', isArray: true, nameField: 'title' }, 'nothing at "rows"'],
  ['one object', { path: '$root.pages', idField: 'slug', nameField: 'title' }, 'a list (isArray)'],
  ['a list', { path: '$root', isArray: true, nameField: 'pages' }, 'no list (isArray)'],
  ['other fields', { path: 'pages', isArray: true, nameField: 'name' }, 'no "id" and no "name"'],
])('an extraction of %s is compared with the output schema', async (_, extraction, found) => {
  const schema = {
    name: 'list_pages',
    description: 'Lists the pages of the site.',
    parameters: { type: 'object' },
    outputSchema: ROWS,
    extraction: { type: 'page', ...extraction },
  }
  const { items } = await lintTree({ 'tools/list_pages/schema.json': JSON.stringify(schema) })
  const unmatched = items
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === 'extraction-unmatched')
  expect(unmatched.map(({ message }) => message)).toEqual(
    found === null ? [] : [expect.stringContaining(found)],
  )
})
