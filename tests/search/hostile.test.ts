import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToolIndex, layeredIndex } from '../../src/search/rank/tool-index.ts'
import { LEAST_CONFIDENCE } from '../../src/search/rank/rerank.ts'
import { foldText } from '../../src/search/words/fold-text.ts'
import { anyDocument, anyQuery } from './a-document.ts'
import { readSet } from './read-set.ts'
import { SHOP } from './some-documents.ts'

const shop = createToolIndex(SHOP)

test.each([
  ['not a number', NaN, 5],
  ['below zero', -3, 0],
  ['a part of one', 0.5, 0],
  ['two and a half', 2.5, 2],
  ['without end', Infinity, 6],
  ['more than there are', 1e9, 6],
])('a limit that is %s', (_, limit, count) => {
  const six = createToolIndex(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, description: 'Pages.' })),
  )
  expect(six.search('pages', { limit }).results).toHaveLength(count)
})

test('the limit may be the number of very many documents', () => {
  const documents = Array.from({ length: 130_000 }, (_, at) => ({
    name: `tool_${at}`,
    description: at % 500 === 0 ? 'greenhouse' : 'x',
    owner: 'garden',
  }))
  const { results } = createToolIndex(documents).search('garden greenhouse', { limit: Infinity })
  expect(results.length).toBeGreaterThan(200)
})

test('many documents with one bare name: the name finds one of them', () => {
  const index = createToolIndex(
    Array.from({ length: 10_000 }, (_, at) => ({
      name: `server${at}__get_page`,
      description: 'Get a page.',
    })),
  )
  const { results, confidence } = index.search('get_page, getPage, get page', { limit: 1 })
  expect(results).toMatchObject([{ name: 'server0__get_page' }])
  expect(confidence).toBe(1)
  for (let at = 0; at < 10_000; at += 1) expect(index.remove(`server${at}__get_page`)).toBe(true)
  expect(index.size).toBe(0)
  expect(index.search('get_page').results).toEqual([])
})

test('a repeated name takes no second place', () => {
  const index = createToolIndex([
    { name: 'a__get_page', description: 'Get.' },
    { name: 'b__get_page', description: 'Get.' },
    { name: 'other', description: 'Other.' },
  ])
  const { results } = index.search('get_page, getPage, other', { limit: 2 })
  expect(results.map(({ name }) => name)).toEqual(['a__get_page', 'other'])
})

test.each(['', '___', ' ', '\ud800', '👩‍💻'])(
  'a document named %j can be found and removed',
  (name) => {
    const index = createToolIndex([...SHOP, { name, description: 'The greenhouse lamp.' }])
    expect(index.search('greenhouse lamp').results[0]?.name).toBe(name)
    expect(index.remove(name)).toBe(true)
    expect(index.search('greenhouse lamp')).toEqual(shop.search('greenhouse lamp'))
  },
)

test.each([
  ['\ud800page\udfff', 'create_page'],
  ['page 👩‍💻🔥', 'create_page'],
  ['天气page', 'getWeather'],
  ['ＣＲＥＡＴＥ＿ＰＡＧＥ', 'create_page'],
])('%j still finds %s', (query, name) => {
  expect(shop.search(query).results.map((one) => one.name)).toContain(name)
})

const WORLD = createToolIndex([
  { name: 'thai', description: 'พยากรณ์อากาศวันนี้' },
  { name: 'hindi', description: 'मौसम का पूर्वानुमान देखें' },
  { name: 'russian', description: 'Прогноз погоды на завтра' },
  { name: 'japanese', description: '天気予報を調べる' },
  { name: 'greek', description: 'Πρόγνωση καιρού' },
  { name: 'hebrew', description: 'תחזית מזג האוויר' },
  { name: 'tamil', description: 'வானிலை முன்னறிவிப்பு' },
  { name: 'korean', description: '날씨를 확인합니다' },
  { name: 'turkish', description: 'İstanbul hava durumu' },
  { name: 'german', description: 'Größe der Straße' },
])

test.each([
  ['อากาศ', 'thai'],
  ['मौसम', 'hindi'],
  ['погода', 'russian'],
  ['天気', 'japanese'],
  ['ΚΑΙΡΟΎ', 'greek'],
  ['מזג', 'hebrew'],
  ['வானிலை', 'tamil'],
  ['날씨', 'korean'],
  ['istanbul', 'turkish'],
  ['GRÖSSE', 'german'],
  ['strasse', 'german'],
])('%s is a word of %s', (query, name) => {
  expect(WORLD.search(query).results.map((one) => one.name)).toEqual([name])
})

test('a folded text is at most twice as long, although a character may expand to eighteen', () => {
  expect(foldText('\ufdfa'.repeat(1_000)).length).toBeLessThanOrEqual(2_000)
})

test('documents added during iteration are indexed, too', () => {
  const documents = [{ name: 'first', description: 'A page.' }]
  function* growing() {
    for (const one of documents) {
      yield one
      if (documents.length < 4) documents.push({ ...one, name: `${one.name}_again` })
    }
  }
  expect(createToolIndex(growing()).size).toBe(4)
})

test('removing a missing document, here or below, changes nothing', () => {
  const layered = layeredIndex(shop)
  expect([
    shop.remove('nobody'),
    layered.remove('nobody'),
    layered.remove('create_page', 'skill'),
  ]).toEqual([false, false, false])
  expect(layered.search('a page')).toEqual(shop.search('a page'))
})

test('random letters match none of hundreds of tools', () => {
  const index = createToolIndex(readSet('livemcp', 1).documents)
  const letters = fc.string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz'), minLength: 4 })
  const requests = fc.sample(fc.array(letters, { minLength: 2, maxLength: 4 }), {
    numRuns: 200,
    seed: 7,
  })
  const answers = requests.map((words) => index.search(words.join(' ')))
  expect(answers.filter(({ results }) => results.length > 0).length).toBeLessThan(10)
  expect(answers.every(({ confidence }) => confidence < 0.3)).toBe(true)
})

test('confidence is from 0 to 1, scores are descending, and every match has a field and a word', () => {
  fc.assert(
    fc.property(
      fc.array(anyDocument, { maxLength: 8 }),
      fc.oneof(anyQuery, fc.string({ unit: 'binary' })),
      fc.integer({ min: 0, max: 9 }),
      (documents, query, limit) => {
        const { results, confidence } = createToolIndex(documents).search(query, { limit })
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
        expect(results.length).toBeLessThanOrEqual(limit)
        if (confidence < LEAST_CONFIDENCE) expect(results).toEqual([])
        const scores = results.map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((a, b) => b - a))
        expect(scores.every((score) => score > 0)).toBe(true)
        for (const { matched } of results) {
          expect(matched.every(({ terms }) => terms.length > 0)).toBe(true)
        }
      },
    ),
    { numRuns: 300 },
  )
})
