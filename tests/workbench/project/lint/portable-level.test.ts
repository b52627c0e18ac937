import { expect, test } from 'vitest'
import { CLIENT_RULES } from '../../../../src/catalog/lint/checks/client-rules.ts'
import type { Tree } from '../temporary-folder.ts'
import { codesIn, lintTree } from './lint-tree.ts'

const text = (name: string, more = '', description = 'Sorts mail. Use when it piles up.') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\nSort it.\n`

/** Files that break the rule of a client, and the finding. */
interface Case {
  readonly code: string
  readonly tree: Tree
  readonly finding: object
}

const CASES: readonly Case[] = [
  {
    code: 'portable-name-letters',
    tree: { 'skills/почта/SKILL.md': text('почта') },
    finding: { line: 2, column: 7 },
  },
  {
    code: 'portable-name-reserved',
    tree: { 'skills/claude-mail/SKILL.md': text('claude-mail') },
    finding: { message: expect.stringContaining('"claude"') },
  },
  {
    code: 'portable-markup',
    tree: { 'skills/mail/SKILL.md': text('mail', '', '"Sorts <b>mail</b> when asked."') },
    finding: { line: 3, message: expect.stringContaining('"<b>"') },
  },
  {
    code: 'portable-listing-length',
    tree: {
      'skills/mail/SKILL.md': text('mail', `when_to_use: ${'w'.repeat(600)}\n`, 'd'.repeat(1000)),
    },
    finding: { message: expect.stringContaining('1603') },
  },
  {
    code: 'portable-file-name',
    tree: { 'skills/mail/skill.md': text('mail') },
    finding: { file: expect.stringMatching(/skill\.md$/) },
  },
  {
    code: 'portable-nested',
    tree: { 'skills/office/mail/SKILL.md': text('mail') },
    finding: { message: expect.stringContaining('2 folders') },
  },
  {
    code: 'portable-fence',
    tree: { 'skills/mail/SKILL.md': text('mail').replace('---\n\n', '---  \n\n') },
    finding: { line: 4, column: 4 },
  },
  {
    code: 'portable-dropped',
    tree: { 'skills/mail/SKILL.md': text('mail', 'argument-hint: [folder]\n') },
    finding: { line: 4, message: expect.stringContaining('Copilot CLI') },
  },
  {
    code: 'portable-argument-in-code',
    tree: { 'skills/mail/SKILL.md': `${text('mail')}Not $3.\n\n~~~sh\necho "$1" "\\$2" $0\n~~~\n` },
    finding: { line: 10, column: 7, message: expect.stringContaining('$1, $0') },
  },
  {
    code: 'portable-argument-place',
    tree: { 'skills/mail/SKILL.md': `${text('mail')}Not \\$1, but $2 to $1. Run \`x $0\`.\n` },
    finding: { line: 7, column: 20, message: expect.stringContaining('the second argument') },
  },
  {
    code: 'portable-client-field',
    tree: { 'skills/mail/SKILL.md': text('mail', 'argument-hint: "[folder]"\n') },
    finding: { line: 4, message: expect.stringContaining('Claude Code, Qwen Code, VS Code') },
  },
]

test.each([
  ['a byte order mark', `\uFEFF${text('mail')}`, 'byte order mark'],
  ['no name', text('mail').replace('name: mail\n', ''), 'without a name'],
  ['a long name', text('m'.repeat(65)), 'more than 64'],
  ['a hint that is a list', text('mail', 'argument-hint: [folder]\n'), 'argument-hint'],
])('a skill that a client leaves out is named: %s', async (_what, file, message) => {
  const { items } = await lintTree({ 'skills/mail/SKILL.md': file }, 'portable')
  const found = items.flatMap(({ diagnostics }) => diagnostics)
  expect(found.filter(({ code }) => code === 'portable-dropped')).toEqual([
    expect.objectContaining({ message: expect.stringContaining(message) }),
  ])
})

test('every limit of a client has a case, and pages it was taken from', () => {
  expect(CASES.map(({ code }) => code).sort()).toEqual(Object.keys(CLIENT_RULES).sort())
  for (const { sources } of Object.values(CLIENT_RULES)) {
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.filter((source) => !source.startsWith('https://'))).toEqual([])
  }
})

test.each(CASES)('$code is a warning from portable on', async ({ code, tree, finding }) => {
  const { items, ok } = await lintTree(tree, 'portable')
  const found = items.flatMap(({ diagnostics }) => diagnostics)
  expect(found).toContainEqual(expect.objectContaining({ code, severity: 'warning', ...finding }))
  expect(ok).toBe(true)
  expect(codesIn(await lintTree(tree, 'spec'))).not.toContain(code)
})

test.each<[string, Tree]>([
  ['a skill that every client takes', { 'skills/mail-2/SKILL.md': text('mail-2') }],
  ['a skill outside a folder of skills', { 'a/b/c/mail/SKILL.md': text('mail') }],
  ['a skill named skills', { 'skills/skills/SKILL.md': text('skills') }],
  [
    'comparisons in a description',
    { 'skills/mail/SKILL.md': text('mail', '', 'If 1 < 2 and 3 > 2.') },
  ],
  ['a rule in the body', { 'skills/mail/SKILL.md': `${text('mail')}\n---  \n` }],
])('%s has no findings', async (_what, tree) => {
  expect(codesIn(await lintTree(tree, 'portable'))).toEqual([])
})

test('one mistake is reported once', async () => {
  const tree = { 'skills/mail/SKILL.md': text('mails', 'model: best\nversions: 1\n') }
  expect(codesIn(await lintTree(tree, 'portable'))).toEqual([
    'name-mismatch',
    'portable-client-field',
    'unknown-field',
  ])
})
