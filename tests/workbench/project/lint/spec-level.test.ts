import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codesIn, lintFolder, lintTree } from './lint-tree.ts'

const skill = (fields: string) => `---\n${fields}\n---\n\n# Do it\n`
const long = (count: number, letter = 'd') => letter.repeat(count)

/** The text of a SKILL.md in a folder, and the faults that the reference validator finds. */
interface Case {
  readonly what: string
  readonly folder?: string
  readonly text: string
  readonly codes: readonly string[]
}

const ok = (what: string, text: string, folder = 'a'): Case => ({ what, folder, text, codes: [] })
const bad = (what: string, code: string | readonly string[], text: string, folder = 'a'): Case => ({
  what,
  folder,
  text,
  codes: [code].flat().map((one) => `spec-${one}`),
})
const named = (name: string) => skill(`name: ${name}\ndescription: d`)
const described = (more: string) => skill(`name: a\n${more}`)

test.each<Case>([
  ok('a name and a description', named('a')),
  ok('a name of 64 letters', named(long(64)), long(64)),
  bad('a name of 65 letters', 'name-length', named(long(65)), long(65)),
  ok('digits and single hyphens', named('a-1-b'), 'a-1-b'),
  ok('a name of digits', named('2024'), '2024'),
  bad('a capital letter', 'name-case', named('Abc'), 'Abc'),
  bad('a leading hyphen', 'name-edge-hyphen', named('-a'), '-a'),
  bad('a trailing hyphen', 'name-edge-hyphen', named('a-'), 'a-'),
  bad('two hyphens', 'name-double-hyphen', named('a--b'), 'a--b'),
  bad('an underscore', 'name-characters', named('a_b'), 'a_b'),
  bad('a space', 'name-characters', named('a b'), 'a b'),
  bad('a dot', 'name-characters', named('a.b'), 'a.b'),
  ok('lower-case Cyrillic', named('навык'), 'навык'),
  ok('Chinese', named('技能'), '技能'),
  bad('upper-case Cyrillic', 'name-case', named('Навык'), 'Навык'),
  ok('a composed name in a decomposed folder', named('caf\u00E9'), 'cafe\u0301'),
  ok('a ligature that NFKC takes apart', named('ﬁx'), 'fix'),
  ok('full-width letters', named('ａｂ'), 'ab'),
  bad('another folder', 'name-folder', named('a'), 'b'),
  bad('no name', 'name-missing', skill('description: d')),
  bad('an empty name', 'name-missing', named('""')),
  bad('a name that is a list', 'name-missing', named('\n  - a')),
  bad('several at once', ['name-case', 'name-characters', 'name-folder'], named('A_b')),
  ok('a description of 1024 characters', described(`description: ${long(1024)}`)),
  bad('one of 1025', 'description-length', described(`description: ${long(1025)}`)),
  ok('one of 1024 emoji', described(`description: ${'😀'.repeat(1024)}`)),
  bad('no description', 'description-missing', described('license: MIT')),
  bad('an empty description', 'description-missing', described('description: ""')),
  bad('a description that is a list', 'description-missing', described('description:\n  - d')),
  ok('a compatibility of 500', described(`description: d\ncompatibility: ${long(500)}`)),
  bad(
    'one of 501',
    'compatibility-length',
    described(`description: d\ncompatibility: ${long(501)}`),
  ),
  bad('a list', 'compatibility-kind', described('description: d\ncompatibility:\n  - c')),
  ok(
    'license, metadata, allowed-tools',
    described('description: d\nlicense: MIT\nmetadata:\n  a: b\nallowed-tools: Read'),
  ),
  bad('a field of its own', 'unknown-field', described('description: d\nversion: 1')),
  bad(
    "Carnet's fields",
    ['unknown-field', 'unknown-field'],
    described('description: d\ntoolsets: a\nfiles: b'),
  ),
  bad('no front matter', 'front-matter', '# Do it\n'),
  bad('front matter without an end', 'front-matter', '---\nname: a\ndescription: d\n'),
  bad('a byte order mark', 'front-matter', `\uFEFF${named('a')}`),
  bad('an empty file', 'front-matter', ''),
  bad('an unquoted colon', 'yaml', described('description: when: then')),
  bad('brackets', 'yaml', described('description: d\nallowed-tools: [Read]')),
  bad('a key twice', 'yaml', described('description: d\ndescription: e')),
  bad('no fields', 'yaml', '---\n---\n'),
  ok('CRLF', named('a').replaceAll('\n', '\r\n')),
])('spec: $what', async ({ folder = 'a', text, codes }) => {
  const report = await lintTree({ [`${folder}/SKILL.md`]: text }, 'spec')
  expect(codesIn(report)).toEqual(codes)
  expect(report).toMatchObject({
    ok: codes.length === 0,
    checked: 1,
    level: 'spec',
    items: [{ kind: 'skill', status: codes.length === 0 ? 'ok' : 'error' }],
  })
})

test('what the validator would refuse is a warning above, where it is read', async () => {
  const tree = {
    'a/SKILL.md': skill('name: a\ndescription: Sorts mail by sender.\nallowed-tools: [Read]'),
  }
  const { items, ok: fine } = await lintTree(tree, 'portable')
  expect(fine).toBe(true)
  expect(items).toMatchObject([
    {
      name: 'a',
      status: 'warning',
      diagnostics: [{ code: 'spec-yaml', hint: expect.stringContaining('as one text') }],
    },
  ])
})

test.each(['spec', 'portable'] as const)('%s looks at skills only', async (level) => {
  const tree = {
    'skills/a/SKILL.md': named('a'),
    'skills/a/tools/broken/schema.json': '{',
    'agents/b/AGENT.md': 'no front matter',
  }
  const { items, ok: fine } = await lintTree(tree, level)
  expect(items.map(({ kind }) => kind)).toEqual(['skill'])
  expect(fine).toBe(true)
  expect((await lintTree(tree)).ok).toBe(false)
})

test('a file that cannot be read is an error at every level', async () => {
  const tree = { 'a/SKILL.md': new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff]) }
  for (const level of ['spec', 'portable', 'native'] as const) {
    const { items } = await lintTree(tree, level)
    expect(items).toMatchObject([
      { kind: 'skill', name: null, status: 'error', diagnostics: [{ code: 'encoding-invalid' }] },
    ])
  }
})

const CORPUS = join(import.meta.dirname, '../../../corpus')

test('of the forty public skills the validator refuses four', async () => {
  const { items, checked } = await lintFolder(CORPUS, 'spec')
  expect(checked).toBe(40)
  expect(items.filter(({ status }) => status === 'error')).toHaveLength(4)
})

test.each(['spec', 'portable', 'native'] as const)(
  'what %s finds in forty public skills',
  async (level) => {
    const counts = new Map<string, number>()
    for (const { diagnostics } of (await lintFolder(CORPUS, level)).items) {
      for (const { code, severity } of diagnostics) {
        const key = `${severity} ${code}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    }
    expect([...counts].map(([key, count]) => `${count} ${key}`).sort()).toMatchSnapshot()
  },
)
