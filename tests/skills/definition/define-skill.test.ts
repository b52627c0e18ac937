import { describe, expect, test } from 'vitest'
import { textHash } from '../../../src/kernel/content-hash.ts'
import { WorkspaceError } from '../../../src/kernel/workspace-error.ts'
import { defineSkill, type SkillDefinition } from '../../../src/skills/definition/define-skill.ts'
import { toolNamed } from '../tool-named.ts'

const minimal = { name: 'web-research', description: 'Finds things out.' }

const full = {
  ...minimal,
  displayName: 'Research',
  version: '2.0.0',
  capabilities: ['search'],
  instructions: 'Search first.',
  tools: ['search@^1'],
  toolsets: ['pages'],
  files: [{ path: 'references/guide.md', description: 'How', text: 'Read on.' }],
  triggers: ['look up'],
  whenToUse: 'When facts are missing.',
  tags: ['web'],
  requires: ['browser'],
  conflicts: ['offline'],
  extends: ['reader'],
  exclusive: true,
  lifetime: { uses: 3 },
  aliases: ['search'],
  permissions: ['Bash(git:*)'],
  onConflict: 'shadow',
  license: 'MIT',
  compatibility: 'Any',
  metadata: { author: 'someone' },
} satisfies SkillDefinition

function problemOf(definition: unknown): WorkspaceError {
  try {
    defineSkill(definition as SkillDefinition)
  } catch (error) {
    if (WorkspaceError.is(error)) return error
  }
  throw new Error('The definition was accepted.')
}

test('a name and a description are enough', () => {
  const { hash, ...skill } = defineSkill(minimal)
  expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(skill).toEqual({
    name: 'web-research',
    displayName: 'Web Research',
    description: 'Finds things out.',
    version: '1.0.0',
    capabilities: [],
    instructions: '',
    tools: [],
    toolsets: [],
    files: [],
    triggers: [],
    whenToUse: '',
    tags: [],
    requires: [],
    conflicts: [],
    extends: [],
    exclusive: false,
    lifetime: 'session',
    aliases: [],
    permissions: [],
    onConflict: 'refuse',
    metadata: {},
    diagnostics: [],
  })
})

test.each([
  ['my-skill', 'My Skill'],
  ['pdf', 'Pdf'],
  ['snake_case.and-dots', 'Snake Case And Dots'],
  ['--x--', 'X'],
  ['élan-vital', 'Élan Vital'],
  ['データ-分析', 'データ 分析'],
  ['𐐨-deseret', '𐐀 Deseret'],
])('%s is shown as %s', (name, displayName) => {
  expect(defineSkill({ ...minimal, name }).displayName).toBe(displayName)
})

test.each(['__proto__', 'constructor', 'toString', 'हिन्दी', 'a'.repeat(64), '7'])(
  'the name %s simply works',
  (name) => {
    expect(defineSkill({ ...minimal, name }).name).toBe(name)
  },
)

describe('a broken definition is refused and its field named', () => {
  test.each<[field: string, definition: unknown]>([
    ['', null],
    ['', 'text'],
    ['', []],
    ['name', { description: 'No name.' }],
    ['name', { ...minimal, name: '' }],
    ['name', { ...minimal, name: 'a'.repeat(65) }],
    ['name', { ...minimal, name: 'has space' }],
    ['name', { ...minimal, name: '../evil' }],
    ['name', { ...minimal, name: '..' }],
    ['name', { ...minimal, name: 'bidi\u202Ename' }],
    ['name', { ...minimal, name: 'mark\u034Fdrawn-as-nothing' }],
    ['name', { ...minimal, name: 'variation\u{E0100}selector' }],
    ['name', { ...minimal, name: 'letter\u3164drawn-as-nothing' }],
    ['name', { ...minimal, name: 'line\nbreak' }],
    ['description', { name: 'x' }],
    ['description', { ...minimal, description: 7 }],
    ['version', { ...minimal, version: '' }],
    ['tools', { ...minimal, tools: 'search' }],
    ['tools', { ...minimal, tools: [7] }],
    ['tools', { ...minimal, tools: [{ name: 'no hash' }] }],
    ['toolsets', { ...minimal, toolsets: [null] }],
    ['requires', { ...minimal, requires: 'browser' }],
    ['exclusive', { ...minimal, exclusive: 'yes' }],
    ['lifetime', { ...minimal, lifetime: { uses: 0 } }],
    ['lifetime', { ...minimal, lifetime: 'forever' }],
    ['onConflict', { ...minimal, onConflict: 'win' }],
    ['connect', { ...minimal, connect: 'at once' }],
    ['metadata', { ...minimal, metadata: { level: 7 } }],
    ['metadata', { ...minimal, metadata: JSON.parse('{"__proto__": 7}') }],
    ['onActivate', { ...minimal, onActivate: 'run' }],
    ['onActivated', { ...minimal, onActivated: () => {} }],
    ['hash', { ...minimal, hash: 'sha256:forged' }],
    ['files', { ...minimal, files: [{ text: 'no path' }] }],
    ['files', { ...minimal, files: [{ path: 'a.md' }] }],
    ['files', { ...minimal, files: [{ path: 'a.md', size: 1, hash: textHash('a') }] }],
    ['files', { ...minimal, files: [{ path: 'a.md', text: 7 }] }],
    ['files', { ...minimal, files: [{ path: 'a.md', text: '', description: 7 }] }],
  ])('%s: %j', (field, definition) => {
    expect(problemOf(definition)).toMatchObject({ code: 'SKILL_INVALID', facts: { field } })
  })

  test('in words that say what to do', () => {
    const texts = [
      { ...minimal, name: 'has space' },
      { ...minimal, lifetime: { uses: 0.5 } },
      { ...minimal, onActivated: () => {} },
      { ...minimal, requires: ['a', 7] },
      { ...minimal, files: [{ path: '../key', text: '' }] },
      null,
    ].map((definition) => {
      const { message, hint } = problemOf(definition)
      return `${message} ${hint}`
    })
    expect(texts.join('\n')).toMatchInlineSnapshot(`
      "The skill "has space" cannot be defined: its "name" must be 1 to 64 letters, digits, "-", "_" or ".". Correct the field and define the skill again.
      The skill "web-research" cannot be defined: its "lifetime" must be "session", or { uses: 1 }, { turns: 1 } or { idle: 1 } with a positive whole number. Correct the field and define the skill again.
      Skill "web-research": "onActivated" is not a field of a skill. Did you mean "onActivate"?
      The skill "web-research" cannot be defined: its "requires.1" must be text. Correct the field and define the skill again.
      The skill "web-research" cannot be defined: its "files: ../key" must be a path inside the skill, such as "references/guide.md". Correct the field and define the skill again.
      The definition of a skill must be an object. Correct the field and define the skill again."
    `)
  })
})

test('the result is frozen through and through, and the definition is left alone', () => {
  const definition = structuredClone(full)
  const skill = defineSkill({ ...definition, onActivate: () => {} })
  const frozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(frozen))
  expect(frozen(skill)).toBe(true)
  expect(Object.isFrozen(definition.requires)).toBe(false)
  definition.requires.push('late')
  expect(skill.requires).toEqual(['browser'])
})

describe('the hash', () => {
  const base = defineSkill(full).hash

  test.each<Partial<SkillDefinition>>([
    { name: 'other' },
    { description: 'Other.' },
    { displayName: 'Other' },
    { version: '2.0.1' },
    { capabilities: [] },
    { instructions: 'Other.' },
    { tools: ['search@^2'] },
    { tools: [toolNamed('search')] },
    { toolsets: [] },
    { files: [{ path: 'references/guide.md', description: 'How', text: 'Read on!' }] },
    { files: [{ path: 'references/guide.md', description: 'Why', text: 'Read on.' }] },
    { files: [{ path: 'guide.md', description: 'How', text: 'Read on.' }] },
    { triggers: [] },
    { whenToUse: '' },
    { tags: [] },
    { requires: [] },
    { conflicts: [] },
    { extends: [] },
    { exclusive: false },
    { lifetime: { uses: 4 } },
    { aliases: [] },
    { permissions: [] },
    { onConflict: 'refuse' },
    { license: 'ISC' },
    { compatibility: 'None' },
    { metadata: JSON.parse('{"author": "someone", "__proto__": "x"}') },
  ])('changes with %j', (change) => {
    expect(defineSkill({ ...full, ...change }).hash).not.toBe(base)
  })

  test.each<Partial<SkillDefinition>>([
    { path: '/home/a/skills/x/SKILL.md', baseDirectory: '/home/a/skills/x' },
    { diagnostics: [{ code: 'x', severity: 'info', message: 'x', hint: 'x' }] },
    { onActivate: () => {}, onDeactivate: () => {}, readFile: () => Promise.resolve('') },
  ])('is the same on another machine and with other code: %j', (change) => {
    expect(defineSkill({ ...full, ...change }).hash).toBe(base)
  })

  test('follows a tool given by value', () => {
    const withTool = (description: string) =>
      defineSkill({ ...full, tools: [toolNamed('search', { description })] }).hash
    expect(withTool('One.')).toBe(withTool('One.'))
    expect(withTool('One.')).not.toBe(withTool('Two.'))
  })
})

describe('files', () => {
  test('given as text are listed with size in bytes and digest, and can be read', async () => {
    const skill = defineSkill({
      ...minimal,
      files: [{ path: 'references/guide.md', description: 'A guide', text: 'Grüße' }],
    })
    expect(skill.files).toEqual([
      {
        path: 'references/guide.md',
        description: 'A guide',
        size: 7,
        hash: textHash('Grüße'),
      },
    ])
    expect(await skill.readFile?.('references/guide.md')).toBe('Grüße')
  })

  test('not given as text are read by the reader of the definition', async () => {
    const skill = defineSkill({
      ...minimal,
      files: [
        { path: 'a.md', size: 1, hash: textHash('A') },
        { path: 'b.md', text: 'B' },
      ],
      readFile: (path) => Promise.resolve(`read ${path}`),
    })
    expect(await skill.readFile?.('a.md')).toBe('read a.md')
    expect(await skill.readFile?.('b.md')).toBe('B')
  })

  test.each([
    '../a.md',
    './a.md',
    'a.md/',
    'A.md',
    '/a.md',
    '%61.md',
    'a.md\0',
    'file:a.md',
    'C:a.md',
    '',
    '__proto__',
  ])('that are not listed never reach the reader: %j', async (path) => {
    const asked: string[] = []
    const skill = defineSkill({
      ...minimal,
      files: [{ path: 'a.md', size: 1, hash: textHash('A') }],
      readFile: (wanted) => {
        asked.push(wanted)
        return Promise.resolve('secret')
      },
    })
    await expect(skill.readFile?.(path)).rejects.toMatchObject({ code: 'FILE_NOT_LISTED' })
    expect(asked).toEqual([])
  })

  test.each(['', '/etc/passwd', '../x', 'a/../b', './a', 'a//b', 'a/', 'a\\b', 'C:x', 'a\0b'])(
    'cannot have the path %j',
    (path) => {
      expect(problemOf({ ...minimal, files: [{ path, text: '' }] })).toMatchObject({
        code: 'SKILL_INVALID',
        facts: { field: 'files' },
      })
    },
  )

  test.each(['a\\b.md', 'Q:A.md'])('that a loader found may be named %j', (path) => {
    const files = [{ path, size: 0, hash: textHash('') }]
    const readFile = () => Promise.resolve('')
    expect(defineSkill({ ...minimal, files, readFile }).files).toEqual(files)
  })

  test.each(['a\\..\\b', '..\\b', '\\\\host\\b', '../b'])(
    'that a loader found still cannot be named %j',
    (path) => {
      const files = [{ path, size: 0, hash: textHash('') }]
      const readFile = () => Promise.resolve('')
      expect(problemOf({ ...minimal, files, readFile }).code).toBe('SKILL_INVALID')
    },
  )

  test('cannot be listed twice', () => {
    const file = { path: 'a.md', text: '' }
    expect(problemOf({ ...minimal, files: [file, file] }).message).toContain('listed twice')
  })
})

test.each<[field: string, meant: string]>([
  ['prompt', 'instructions'],
  ['body', 'instructions'],
  ['content', 'instructions'],
  ['instruction', 'instructions'],
  ['allowedTools', 'permissions'],
  ['dependencies', 'requires'],
  ['display_name', 'displayName'],
  ['tool', 'tools'],
])('the unknown field %s is refused: did you mean %s', (field, meant) => {
  expect(problemOf({ ...minimal, [field]: 'x' })).toMatchObject({
    code: 'SKILL_INVALID',
    message: `Skill "web-research": "${field}" is not a field of a skill.`,
    hint: `Did you mean "${meant}"?`,
    facts: { name: 'web-research', field },
  })
})

describe('workDirection, the name of the reference for instructions', () => {
  test('gives the same skill', () => {
    const skill = defineSkill({ ...minimal, workDirection: 'Search first.' })
    expect(skill.instructions).toBe('Search first.')
    expect(skill.hash).toBe(defineSkill({ ...minimal, instructions: 'Search first.' }).hash)
  })

  test('cannot be given together with instructions', () => {
    expect(problemOf({ ...minimal, instructions: 'a', workDirection: 'a' })).toMatchObject({
      code: 'SKILL_INVALID',
      message:
        'The skill "web-research" cannot be defined: its "workDirection" is another name of "instructions", which is also given.',
      hint: 'Keep one of the two.',
      facts: { field: 'workDirection' },
    })
  })
})
