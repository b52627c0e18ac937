import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkSpecification } from '../../../src/skills/parse/check-specification.ts'

const codes = (text: string, folder = 'a') =>
  checkSpecification({ text, file: `${folder}/SKILL.md`, folder }).map(({ code }) => code)

const named = (name: string, folder: string) =>
  codes(`---\nname: ${name}\ndescription: d\n---\n`, folder)

test.each([
  { name: 'my-skill', folder: 'my-skill', found: [] },
  { name: 'a'.repeat(64), folder: 'a'.repeat(64), found: [] },
  { name: 'a'.repeat(65), folder: 'a'.repeat(65), found: ['spec-name-length'] },
  { name: '𠮷'.repeat(64), folder: '𠮷'.repeat(64), found: [] },
  { name: 'мой-навык', folder: 'мой-навык', found: [] },
  { name: 'cafe\u0301', folder: 'caf\u00E9', found: [] },
  { name: 'ﬁ', folder: 'fi', found: [] },
  { name: 'My-Skill', folder: 'My-Skill', found: ['spec-name-case'] },
  { name: '-a', folder: '-a', found: ['spec-name-edge-hyphen'] },
  { name: 'a-', folder: 'a-', found: ['spec-name-edge-hyphen'] },
  { name: 'a--b', folder: 'a--b', found: ['spec-name-double-hyphen'] },
  { name: 'my_skill', folder: 'my_skill', found: ['spec-name-characters'] },
  { name: 'a\u200B', folder: 'a\u200B', found: ['spec-name-characters'] },
  { name: 'a', folder: 'b', found: ['spec-name-folder'] },
  {
    name: '-B_',
    folder: 'x',
    found: ['case', 'edge-hyphen', 'characters', 'folder'].map((rule) => `spec-name-${rule}`),
  },
  { name: '""', folder: 'a', found: ['spec-name-missing'] },
  { name: '\n  - a', folder: 'a', found: ['spec-name-missing'] },
])('a skill named $name in $folder: $found', ({ name, folder, found }) => {
  expect(named(name, folder)).toEqual(found)
})

test.each([
  { field: 'description: ' + 'd'.repeat(1024), found: [] },
  { field: 'description: ' + 'd'.repeat(1025), found: ['spec-description-length'] },
  { field: 'description: |\n  ' + 'd'.repeat(1024), found: ['spec-description-length'] },
  { field: 'description: ""', found: ['spec-description-missing'] },
  { field: 'license: MIT', found: ['spec-description-missing'] },
  { field: 'description:\n  - d', found: ['spec-description-missing'] },
  { field: 'description: d\ncompatibility: ' + 'c'.repeat(500), found: [] },
  {
    field: 'description: d\ncompatibility: ' + 'c'.repeat(501),
    found: ['spec-compatibility-length'],
  },
  { field: 'description: d\ncompatibility:\n  - c', found: ['spec-compatibility-kind'] },
  { field: 'description: d\nallowed-tools: Read Bash(git:*)', found: [] },
  { field: 'description: d\nmetadata:\n  a: b', found: [] },
  { field: 'description: d\nversion: 1', found: ['spec-unknown-field'] },
  { field: 'description: d\nallowed-tools: [Read]', found: ['spec-yaml'] },
  { field: 'description: d\nmetadata: {}', found: ['spec-yaml'] },
  { field: 'description: &d x', found: ['spec-yaml'] },
  { field: 'description: !!str d', found: ['spec-yaml'] },
  { field: 'description: a: b', found: ['spec-yaml'] },
  { field: 'description: d\ndescription: e', found: ['spec-yaml'] },
])('front matter with $field: $found', ({ field, found }) => {
  expect(codes(`---\nname: a\n${field}\n---\n`)).toEqual(found)
})

test.each([
  { what: 'nothing before its body', text: '# A' },
  { what: 'a byte order mark', text: '\uFEFF---\nname: a\ndescription: d\n---\n' },
  { what: 'no closing fence', text: '---\nname: a\ndescription: d\n' },
])('a file with $what has no front matter', ({ text }) => {
  expect(codes(text)).toEqual(['spec-front-matter'])
})

test('a finding has the place of the value', () => {
  const text = '---\nname: a\ndescription: d\nversion: 1\ncompatibility:\n  - c\n---\n'
  expect(checkSpecification({ text, file: 'a/SKILL.md', folder: 'a' })).toMatchObject([
    { code: 'spec-unknown-field', file: 'a/SKILL.md', line: 4, column: 1 },
    { code: 'spec-compatibility-kind', line: 6, column: 3 },
  ])
})

/**
 * Compares the decisions with recorded ones of the reference validator (agentskills/agentskills,
 * skills-ref), for front matter composed at random from valid and unusual parts.
 */
test('decisions are those of the reference validator', async () => {
  const file = join(import.meta.dirname, 'reference-decisions.json')
  const cases: readonly { text: string; folder: string; accepted: boolean }[] = JSON.parse(
    await readFile(file, 'utf8'),
  )
  const unlike = cases.filter(({ text, folder, accepted }) => {
    return (codes(text, folder).length === 0) !== accepted
  })
  expect(unlike).toEqual([])
  expect(cases.filter(({ accepted }) => accepted).length).toBeGreaterThan(50)
  expect(cases.filter(({ accepted }) => !accepted).length).toBeGreaterThan(200)
})

test('exactly the skills of the corpus are refused that the reference validator refuses', async () => {
  const corpus = join(import.meta.dirname, '../../corpus')
  const listed: readonly { repo: string; path: string; refErrors: readonly string[] }[] =
    JSON.parse(await readFile(join(corpus, 'manifest.json'), 'utf8'))
  for (const { repo, path, refErrors } of listed) {
    const text = await readFile(join(corpus, repo.replace('/', '+'), path), 'utf8')
    const found = codes(text, path.split('/').at(-2))
    expect([path, found.length > 0]).toEqual([path, refErrors.length > 0])
  }
})

test.each([
  ['---\nname: a\ndescription: one --- two\nlicense: x\n---\n', []],
  ['---\nname: a --- b\ndescription: d\n---\n', ['spec-description-missing', 'spec-split']],
  [
    '---\nname: a\nlicense: x---y\ndescription: d\n---\n',
    ['spec-description-missing', 'spec-split'],
  ],
  ['---\nname: a\n----\ndescription: d\n---\n', ['spec-description-missing', 'spec-split']],
  ['---\nname: a\n---\n', ['spec-description-missing']],
])('the split of the validator at dashes in a line is named: %j', (text, found) => {
  expect(codes(text)).toEqual(found)
})

test('the place of the split is that of the dashes', () => {
  const text = '---\nname: a\nlicense: x---y\n---\n'
  const [, split] = checkSpecification({ text, file: 'a/SKILL.md', folder: 'a' })
  expect(split).toMatchObject({ code: 'spec-split', line: 3, column: 11 })
})
