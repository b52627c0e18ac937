import { expect, test } from 'vitest'
import { parseToolsetFile } from '../../../src/skills/parse/parse-toolset-file.ts'

const read = (text: string) => parseToolsetFile({ text, file: 'web/TOOLSET.md', folder: 'web' })

test.each([
  { tools: 'tools: search fetch@^1' },
  { tools: 'tools: search, fetch@^1' },
  { tools: 'tools:\n  - search\n  - fetch@^1' },
])('a toolset names its tools: $tools', ({ tools }) => {
  expect(read(`---\nname: web\ndescription: The web.\n${tools}\n---\n\nSearch first.\n`)).toEqual({
    definition: {
      name: 'web',
      description: 'The web.',
      instructions: 'Search first.',
      tools: ['search', 'fetch@^1'],
    },
    diagnostics: [],
  })
})

test('what is left out is taken from elsewhere and reported', () => {
  const parsed = read('---\n{}\n---\nFor the web.')
  expect(parsed.definition).toMatchObject({ name: 'web', description: 'For the web.', tools: [] })
  expect(parsed.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'warning name-missing',
    'warning description-missing',
    'warning tools-missing',
  ])
})

test('a toolset nobody describes is not loaded', () => {
  expect(read('---\nname: web\ntools: a\n---\n')).toMatchObject({
    definition: null,
    diagnostics: [{ code: 'description-missing', severity: 'error' }],
  })
})
