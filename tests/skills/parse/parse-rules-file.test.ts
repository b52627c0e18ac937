import { expect, test } from 'vitest'
import { parseRulesFile } from '../../../src/skills/parse/parse-toolset-file.ts'

const read = (text: string) =>
  parseRulesFile({ text, file: 'rules/pages.md', folder: 'rules' }, 'pages')

test('rules are Markdown as it stands, for the topic their file is named after', () => {
  const { rules, diagnostics } = read('\uFEFF# Pages\n\nRead before you write.\n')
  expect(rules).toMatchObject({
    topic: 'pages',
    text: '# Pages\n\nRead before you write.',
    path: 'rules/pages.md',
  })
  expect(diagnostics).toEqual([])
})

test('front matter may name another topic', () => {
  const { rules, diagnostics } = read('---\ntopic: web pages\nfor: all\n---\nRead.')
  expect(rules).toMatchObject({ topic: 'web pages', text: 'Read.' })
  expect(diagnostics).toMatchObject([{ code: 'unknown-field', line: 3 }])
})

test.each([
  { text: ' \n', code: 'rules-empty' },
  { text: '---\ntopic: a\n---\n', code: 'rules-empty' },
  { text: '---\ntopic: a\n', code: 'front-matter-unclosed' },
  { text: '---js\nmodule.exports = 1\n---\n', code: 'front-matter-engine' },
])('$text is $code', ({ text, code }) => {
  expect(read(text)).toMatchObject({ rules: null, diagnostics: [{ code, severity: 'error' }] })
})
