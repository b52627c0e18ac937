import { describe, expect, test } from 'vitest'
import { parseRulesFile, parseToolsetFile } from '../../../src/skills/parse/parse-toolset-file.ts'

describe('parse rules file', () => {
  const read = (text: string) =>
    parseRulesFile({ text, file: 'rules/pages.md', folder: 'rules' }, 'pages')

  test('rules are plain Markdown, for the topic their file is named after', () => {
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
})

describe('parse toolset file', () => {
  const read = (text: string) => parseToolsetFile({ text, file: 'web/TOOLSET.md', folder: 'web' })

  test.each([
    { tools: 'tools: search fetch@^1' },
    { tools: 'tools: search, fetch@^1' },
    { tools: 'tools:\n  - search\n  - fetch@^1' },
  ])('a toolset names its tools: $tools', ({ tools }) => {
    expect(read(`---\nname: web\ndescription: The web.\n${tools}\n---\n\nSearch first.\n`)).toEqual(
      {
        definition: {
          name: 'web',
          description: 'The web.',
          instructions: 'Search first.',
          servers: [],
          tools: ['search', 'fetch@^1'],
        },
        described: [],
        diagnostics: [],
      },
    )
  })

  test('missing fields have defaults and are reported', () => {
    const parsed = read('---\n{}\n---\nFor the web.')
    expect(parsed.definition).toMatchObject({ name: 'web', description: 'For the web.', tools: [] })
    expect(parsed.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning name-missing',
      'warning description-missing',
      'warning tools-missing',
    ])
  })

  test('a toolset without any description is not loaded', () => {
    expect(read('---\nname: web\ntools: a\n---\n')).toMatchObject({
      definition: null,
      diagnostics: [{ code: 'description-missing', severity: 'error' }],
    })
  })
})
