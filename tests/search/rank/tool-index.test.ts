import { expect, test } from 'vitest'
import { createToolIndex } from '../../../src/search/rank/tool-index.ts'
import { SHOP } from '../some-documents.ts'

const index = createToolIndex(SHOP)
const first = (query: string) => index.search(query).results[0]?.name

test.each([
  ['make a new page', 'create_page'],
  ['deleting pages', 'delete_page'],
  ['hero photo', 'find_image'],
  ['the customer wants the money back', 'refund_order'],
  ['payments', 'refund_order'],
  ['when is it due', 'send_invoice'],
  ['accounting', 'billing'],
  ['天气怎么样', 'getWeather'],
  ['humidty', 'humidity_check'],
  ['hum1dity of the greenhouse', 'humidity_check'],
])('%s finds %s', (query, name) => {
  expect(first(query)).toBe(name)
})

test.each([
  ['create_page'],
  ['createPage'],
  ['create page'],
  ['Create-Page'],
  ['use create_page to greet them'],
  ['`createPage`'],
  ['creat_page'],
])('%s calls create_page by name', (query) => {
  const { results, confidence } = index.search(query)
  expect(results[0]?.name).toBe('create_page')
  expect(confidence).toBeGreaterThanOrEqual(0.9)
})

test('every named tool is a result, in the order of the names', () => {
  const names = SHOP.filter(({ kind }) => kind === undefined).map(({ name }) => name)
  for (const separator of [' ', ', ', '\n', ' and ']) {
    const { results } = index.search(names.join(separator), { limit: names.length })
    expect(results.map(({ name }) => name)).toEqual(names)
  }
})

test('a tool is found by its name within its owner', () => {
  const servers = createToolIndex([
    { name: 'github__create_issue', description: 'Open an issue.' },
    { name: 'jira__create_issue', description: 'Open an issue of a project.', owner: 'jira' },
  ])
  expect(servers.search('create_issue').confidence).toBe(1)
  expect(servers.search('jira create issue').results[0]?.name).toBe('jira__create_issue')
})

test('an answer has the fields that contain the words of the query', () => {
  const { results } = index.search('Give customers their money back')
  expect(results[0]).toMatchObject({ name: 'refund_order', kind: 'tool' })
  expect(results[0]?.matched).toEqual([
    { field: 'description', terms: ['customers', 'money', 'back'] },
    { field: 'phrases', terms: ['give', 'customers', 'money', 'back'] },
  ])
})

test.each(['', '   ', '???', 'the of and', 'zzgrmpf', 'thanks a lot'])(
  'the answer to %j is empty',
  (query) => {
    expect(index.search(query)).toMatchObject({ results: [], route: 'lexical' })
    expect(index.search(query).confidence).toBeLessThan(0.3)
  },
)

test('scores are above zero and descending', () => {
  const scores = index
    .search('find_image, then a page with an invoice')
    .results.map(({ score }) => score)
  expect(scores.length).toBeGreaterThan(1)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(Math.min(...scores)).toBeGreaterThan(0)
})

test('the limit is respected, and forbidden documents take no place', () => {
  expect(index.search('page', { limit: 1 }).results.map(({ name }) => name)).toEqual([
    'create_page',
  ])
  const only = (name: string) => name !== 'create_page'
  expect(index.search('page', { limit: 1, only }).results[0]?.name).toBe('delete_page')
  expect(index.search('create_page', { only }).results.map(({ name }) => name)).not.toContain(
    'create_page',
  )
  expect(index.search('page', { limit: 0 }).results).toEqual([])
})

test('a tool and a skill may have the same name, and are removed separately', () => {
  const both = createToolIndex([
    { name: 'billing', description: 'Write a bill.' },
    { name: 'billing', kind: 'skill', description: 'Everything about bills.' },
  ])
  expect(both.size).toBe(2)
  expect(
    both
      .search('billing')
      .results.map(({ kind }) => kind)
      .sort(),
  ).toEqual(['skill', 'tool'])
  expect(both.remove('billing', 'skill')).toBe(true)
  expect(both.remove('billing', 'skill')).toBe(false)
  expect(both.search('billing').results).toMatchObject([{ kind: 'tool' }])
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
  'a tool named %s is an ordinary tool',
  (name) => {
    const hostile = createToolIndex([...SHOP, { name, description: `Calls ${name}.`, owner: name }])
    expect(hostile.search(name).results[0]?.name).toBe(name)
    expect(hostile.remove(name)).toBe(true)
    expect(hostile.search(name).results).toEqual(index.search(name).results)
  },
)

test('the end of a huge query or document makes no difference', () => {
  const noise = 'page '.repeat(200_000)
  expect(index.search(`humidity ${noise}`).results.map(({ name }) => name)).toContain(
    'humidity_check',
  )
  const huge = createToolIndex([
    ...SHOP,
    { name: 'huge', description: noise, phrases: Array(10_000).fill(noise), tags: [noise] },
  ])
  expect(huge.search('refund an order').results[0]?.name).toBe('refund_order')
})

test('an empty index finds nothing', () => {
  expect(createToolIndex().search('page')).toEqual({ results: [], confidence: 0, route: 'lexical' })
})

test('a document that cannot be read does not change the index', () => {
  const mine = createToolIndex(SHOP)
  const broken = { name: 'create_page', description: 'A page.', tags: [Symbol('no text')] }
  expect(() => mine.add(broken as never)).toThrow(TypeError)
  expect(mine.size).toBe(SHOP.length)
  mine.add({ name: 'other_page', description: 'Another page.' })
  mine.remove('other_page')
  expect(mine.search('a page, please')).toEqual(index.search('a page, please'))
})
