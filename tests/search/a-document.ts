import fc from 'fast-check'
import type { ToolDocument } from '../../src/search/index/tool-document.ts'

const word = fc.constantFrom(
  'page',
  'pages',
  'image',
  'picture',
  'refund',
  'weather',
  'humidity',
  'get',
  'create',
  'word',
  'cloud',
  'wordcloud',
  '天气',
  '날씨는',
  'constructor',
  'sha256',
)
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
const name = fc.constantFrom(
  'get_page',
  'getPage',
  'create_image',
  'wordcloud',
  'word_cloud',
  'a__get_page',
  'b__get_page',
  '__proto__',
  'constructor',
  'weather',
)

/** Any document; names and words recur, so that documents replace and resemble one another. */
export const anyDocument: fc.Arbitrary<ToolDocument> = fc.record(
  {
    name,
    kind: fc.constantFrom('tool' as const, 'skill' as const),
    description: text,
    phrases: fc.array(text, { maxLength: 3 }),
    topic: word,
    tags: fc.array(word, { maxLength: 2 }),
    owner: fc.constantFrom('a', 'b', 'site'),
    inputSchema: fc.record({ properties: fc.dictionary(word, fc.constant({})) }),
  },
  { requiredKeys: ['name', 'description'] },
)

/** Queries with known words, typing mistakes, joined and split words, and names. */
export const anyQuery: fc.Arbitrary<string> = fc
  .array(fc.oneof(word, name, fc.constantFrom('wether', 'cloud word', 'imagepage', 'please')), {
    maxLength: 6,
  })
  .map((words) => words.join(' '))
