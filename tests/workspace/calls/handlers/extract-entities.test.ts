import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ExtractionSchema, Tool } from '../../../../src/tools/definition/tool.ts'
import { extractEntities } from '../../../../src/workspace/calls/handlers/extract-entities.ts'
import { toolNamed } from '../../../skills/tool-named.ts'

const bySchema = (extraction: ExtractionSchema): Tool => ({
  ...toolNamed('any'),
  extraction,
})
const byFunction = (extract: (data: never) => unknown): Tool =>
  ({ ...toolNamed('any'), extract }) as Tool

const page = { type: 'page', nameField: 'title' }
const home = { id: 'p1', title: 'Home' }

test.each<{ what: string; schema: Partial<ExtractionSchema>; data: unknown; gives: object }>([
  {
    what: 'an object at the root',
    schema: { path: '$root' },
    data: home,
    gives: { result: 'extracted', entities: [{ type: 'page', id: 'p1', name: 'Home' }] },
  },
  {
    what: 'a list at the root',
    schema: { path: '$root', isArray: true },
    data: [home, { id: 2, title: 'Two' }],
    gives: {
      result: 'extracted',
      entities: [
        { type: 'page', id: 'p1', name: 'Home' },
        { type: 'page', id: '2', name: 'Two' },
      ],
    },
  },
  {
    what: 'a list at a dotted path, with an id of its own name',
    schema: { path: 'data.pages', isArray: true, idField: 'slug' },
    data: { data: { pages: [{ slug: 'home', title: 'Home' }] } },
    gives: { result: 'extracted', entities: [{ type: 'page', id: 'home', name: 'Home' }] },
  },
  {
    what: 'rows of which some have no name',
    schema: { path: '$root', isArray: true },
    data: [{ id: 1 }, home, null, 'text', { title: 'x' }, { id: {}, title: 'x' }],
    gives: { result: 'extracted', entities: [{ type: 'page', id: 'p1', name: 'Home' }] },
  },
  {
    what: 'an id of 0',
    schema: { path: '$root' },
    data: { id: 0, title: 'Zero' },
    gives: { result: 'extracted', entities: [{ type: 'page', id: '0', name: 'Zero' }] },
  },
  {
    what: 'an empty list',
    schema: { path: 'pages', isArray: true },
    data: { pages: [] },
    gives: { result: 'empty', entities: [] },
  },
  {
    what: 'null where the object would be',
    schema: { path: 'page' },
    data: { page: null },
    gives: { result: 'empty', entities: [] },
  },
  {
    what: 'rows without a name',
    schema: { path: 'pages', isArray: true },
    data: { pages: [{ id: 1 }, { id: 2 }] },
    gives: {
      result: 'nothing-extracted',
      entities: [],
      message: 'No row at "pages" has both "id" and "title".',
    },
  },
  {
    what: 'nothing at the path',
    schema: { path: 'pages', isArray: true },
    data: { items: [home] },
    gives: { result: 'unlike-schema', entities: [], message: 'The result has nothing at "pages".' },
  },
  {
    what: 'an object where a list should be',
    schema: { path: 'pages', isArray: true },
    data: { pages: home },
    gives: { result: 'unlike-schema', entities: [], message: 'At "pages" there is no list.' },
  },
  {
    what: 'a list where an object should be',
    schema: { path: '$root' },
    data: [home],
    gives: { result: 'unlike-schema', entities: [], message: 'At "$root" there is no object.' },
  },
  {
    what: 'what every object inherits',
    schema: { path: '__proto__', nameField: 'constructor', idField: 'toString' },
    data: {},
    gives: { result: 'unlike-schema', entities: [] },
  },
  {
    what: 'fields by the names of what objects inherit',
    schema: { path: '__proto__', nameField: 'constructor', idField: 'toString' },
    data: JSON.parse('{"__proto__": {"toString": 1, "constructor": "One"}}'),
    gives: { result: 'extracted', entities: [{ type: 'page', id: '1', name: 'One' }] },
  },
])('a schema extracts $what', ({ schema, data, gives }) => {
  const tool = bySchema({ path: '$root', ...page, ...schema })
  expect(extractEntities(tool, data)).toMatchObject(gives)
})

test('at most five of a result are extracted', () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({ id: index, title: `Page ${index}` }))
  const tool = bySchema({ path: '$root', isArray: true, ...page })
  expect(extractEntities(tool, rows)?.entities.map(({ id }) => id)).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
  ])
})

test('a tool with neither schema nor function has nothing extracted', () => {
  expect(extractEntities(toolNamed('any'), home)).toBeUndefined()
})

test.each<{ what: string; extract: (data: never) => unknown; data?: unknown; gives: object }>([
  {
    what: 'entities',
    extract: () => [{ type: 'page', id: 1, name: 'One', more: 'left out' }],
    gives: { result: 'extracted', entities: [{ type: 'page', id: '1', name: 'One' }] },
  },
  { what: 'nothing', extract: () => [], gives: { result: 'nothing-extracted', entities: [] } },
  { what: 'nothing of nothing', extract: () => [], data: {}, gives: { result: 'empty' } },
  {
    what: 'entities without a name',
    extract: () => [{ type: 'page', id: 1 }],
    gives: { result: 'nothing-extracted', entities: [] },
  },
  { what: 'no list', extract: () => 'pages', gives: { result: 'unlike-schema', entities: [] } },
  {
    what: 'a promise',
    extract: async () => [],
    gives: { result: 'unlike-schema', message: 'extract returned no list.' },
  },
  {
    what: 'an error',
    extract: () => {
      throw new Error('no pages')
    },
    gives: { result: 'threw', entities: [], message: 'extract threw: no pages' },
  },
  {
    what: 'an entity that throws when it is read',
    extract: () => [
      {
        get type(): string {
          throw new Error('not for you')
        },
      },
    ],
    gives: { result: 'threw', entities: [], message: 'extract threw: not for you' },
  },
])('a function may give $what', ({ extract, data = home, gives }) => {
  expect(extractEntities(byFunction(extract), data)).toMatchObject(gives)
})

test('whatever a result holds, entities are few short lines of text', () => {
  const tool = bySchema({ path: '$root', isArray: true, type: 'page', nameField: 'name' })
  const text = fc.string({ unit: 'binary', maxLength: 400 })
  const rows = fc.array(fc.record({ id: fc.oneof(text, fc.double()), name: text }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(rows, (data) => {
      const { entities = [] } = extractEntities(tool, data) ?? {}
      expect(entities.length).toBeLessThanOrEqual(5)
      for (const { id, name } of entities) {
        expect(id).toMatch(/^.{1,200}$/su)
        expect(`${id}${name}`).not.toMatch(/[\p{Control}\u202E]/v)
        expect(name.length).toBeLessThanOrEqual(120)
        expect(name.isWellFormed()).toBe(true)
      }
    }),
  )
})
