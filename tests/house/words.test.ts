import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { checkWords, type WordFinding } from '../../scripts/words/check-words.ts'
import { EXEMPT_TEXTS } from '../../scripts/words/exempt-texts.ts'
import { RETIRED_WORDS } from '../../scripts/words/retired-words.ts'

/** Returns the findings of a file with that text. */
function find(text: string): readonly WordFinding[] {
  return checkWords('src/render/a.tsx', text).findings
}

test.each([
  { place: 'a comment', text: 'export const a = 1 // The skill stands first.' },
  { place: 'a doc comment', text: '/** The skill that was begun. */\nexport const a = 1' },
  { place: 'help', text: "option('--all', 'Put away every skill.')" },
  { place: 'a message', text: 'throw new Error(`The skill ${name} is told to leave.`)' },
  { place: 'text on a screen', text: 'const a = <Text hint="Equip a skill first" />' },
])('a retired idiom is found in $place', ({ text }) => {
  expect(find(text)).toMatchObject([{ file: 'src/render/a.tsx', rule: 'retired-idiom' }])
})

test('text between the tags of a component is read', () => {
  expect(find('const a = <Text>Equip a skill first</Text>')).toMatchObject([
    { rule: 'retired-idiom', message: 'text: "Equip" is retired. Write: activate.' },
  ])
})

test.each(['What', 'Whether', 'Who', 'Where', 'How'])(
  'a doc comment that begins with %s is found, with its line',
  (opening) => {
    expect(find(`\n/**\n * ${opening} it does.\n */\nexport const a = 1`)).toEqual([
      {
        file: 'src/render/a.tsx',
        line: 2,
        rule: 'clause-opening',
        message: `doc comment begins with "${opening}".`,
      },
    ])
  },
)

test.each([
  'Reads a whole file.',
  'Tries to hold a lock.',
  'The letter that stands for the skill.',
  'A stand-in for the log.',
  'Comes to a halt.',
  'Returns what the log has.',
])('plain English passes: %s', (text) => {
  expect(find(`/** ${text} */\nexport const a = 1`)).toEqual([])
})

test('names in the code are not read', () => {
  expect(find('const told = { equip: anew }\nimport "./stands-beside.ts"')).toEqual([])
})

test('a comment with two retired idioms is reported twice', () => {
  expect(find('// It stands beside it.')).toMatchObject([
    { message: 'comment: "stands" is retired. Write: is.' },
    { message: 'comment: "beside" is retired. Write: next to, and, besides.' },
  ])
})

test('an exempt text passes, and a comment with the same words does not', () => {
  const exemptions = [{ file: 'a.ts', text: 'is told', why: 'A model reads it.' }]
  const text = "export const a = 'It is told.'"
  expect(checkWords('a.ts', text, exemptions).findings).toEqual([])
  expect(checkWords('b.ts', text, exemptions).findings).toMatchObject([{ file: 'b.ts' }])
  expect(checkWords('a.ts', `${text} // It is told.`, exemptions).findings).toMatchObject([
    { rule: 'retired-idiom', message: expect.stringContaining('comment: "told"') },
  ])
})

test('an exemption that no text needs is reported', () => {
  const exemptions = [{ file: 'a.ts', text: 'is told', why: 'A model reads it.' }]
  expect(checkWords('a.ts', '', exemptions).findings).toMatchObject([
    { rule: 'needless-exemption' },
  ])
})

test('every exemption is for a file of this project, and has a reason', () => {
  expect(EXEMPT_TEXTS.filter(({ file }) => !existsSync(join(PROJECT, file)))).toEqual([])
  expect(EXEMPT_TEXTS.filter(({ why }) => why.length < 20)).toEqual([])
})

test('every retired idiom has what to write instead', () => {
  expect(RETIRED_WORDS.length).toBeGreaterThan(15)
  expect(RETIRED_WORDS.filter(({ instead }) => instead === '')).toEqual([])
})

test('the report counts what it read', () => {
  expect(checkWords('a.ts', '/** One two. */\nexport const a = "three four five"')).toEqual({
    words: 5,
    docComments: 1,
    findings: [],
  })
})
