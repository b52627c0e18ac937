import { expect, test } from 'vitest'
import { checkWords, type WordFinding } from '../../scripts/words/check-words.ts'
import { RETIRED_WORDS } from '../../scripts/words/retired-words.ts'

/** The findings of a file with that text. */
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
