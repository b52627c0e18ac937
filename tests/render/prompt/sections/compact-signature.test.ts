import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compactSignature,
  namedSignature,
} from '../../../../src/render/prompt/sections/compact-signature.ts'

const text = { type: 'string' }
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
})

test.each<[string, object, string]>([
  ['nothing', object({}), 'f()'],
  [
    'required and optional arguments',
    object({ slug: text, withSections: { type: 'boolean' } }, ['slug']),
    'f(slug: string, withSections?: boolean)',
  ],
  [
    'a list',
    object({ ids: { type: 'array', items: { type: 'integer' } } }, ['ids']),
    'f(ids: integer[])',
  ],
  ['a list of anything', object({ ids: { type: 'array' } }, ['ids']), 'f(ids: any[])'],
  [
    'a list of choices',
    object({ by: { type: 'array', items: { enum: ['a', 'b'] } } }, ['by']),
    'f(by: ("a" | "b")[])',
  ],
  ['choices', object({ kind: { enum: ['a', 1, null] } }, ['kind']), 'f(kind: "a" | 1 | null)'],
  ['one value', object({ kind: { const: 'a' } }, ['kind']), 'f(kind: "a")'],
  ['several types', object({ id: { type: ['string', 'null'] } }, ['id']), 'f(id: string | null)'],
  ['null where it may be left out', object({ id: { type: ['string', 'null'] } }), 'f(id?: string)'],
  [
    'a union',
    object({ id: { anyOf: [text, { type: 'integer' }, text] } }, ['id']),
    'f(id: string | integer)',
  ],
  [
    'an object',
    object({ at: object({ lat: { type: 'number' }, name: text }, ['lat']) }, ['at']),
    'f(at: { lat: number, name?: string })',
  ],
  ['a free object', object({ map: { type: 'object' } }, ['map']), 'f(map: object)'],
  ['no type', object({ any: {} }, ['any']), 'f(any: any)'],
  ['a schema that is a boolean', object({ any: true }, ['any']), 'f(any: any)'],
  [
    'a definition of its own',
    { ...object({ to: { $ref: '#/$defs/user' } }, ['to']), $defs: { user: object({ id: text }) } },
    'f(to: { id?: string })',
  ],
  [
    'names that break look-ups',
    object(JSON.parse('{"__proto__":{"type":"string"},"toString":{"type":"string"}}'), [
      'toString',
    ]),
    'f(__proto__?: string, toString: string)',
  ],
  ['a name with blanks', object({ 'due date': text }, ['due date']), 'f("due date": string)'],
])('a signature shows %s', (_, schema, signature) => {
  expect(compactSignature('f', schema as never)).toEqual({ text: signature, isCut: false })
})

test.each<[string, object]>([
  ['an object three deep', object({ a: object({ b: object({ c: object({ d: text }) }) }) })],
  ['a reference to elsewhere', object({ a: { $ref: 'https://example.org/schema' } })],
  ['a reference to nothing', object({ a: { $ref: '#/$defs/__proto__' }, b: text })],
  [
    'more choices than are shown',
    object({ a: { enum: Array.from({ length: 20 }, (_, at) => at) } }),
  ],
  [
    'more arguments than are shown',
    object(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`argument_${at}`, text]))),
  ],
])('%s is cut, and marked as cut', (_, schema) => {
  const { text: told, isCut } = compactSignature('f', schema as never)
  expect(isCut).toBe(true)
  expect(told.length).toBeLessThan(500)
})

test('without types only names are left', () => {
  const schema = object({ slug: text, withSections: { type: 'boolean' } }, ['slug'])
  expect(namedSignature('f', schema)).toEqual({ text: 'f(slug, withSections?)', isCut: true })
  expect(namedSignature('f', object({}))).toEqual({ text: 'f()', isCut: false })
})

test('references to references do not multiply', () => {
  const many = (to: string) =>
    object(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`p${at}`, { $ref: to }])))
  const schema = { ...many('#/$defs/a'), $defs: { a: many('#/$defs/b'), b: many('#/$defs/a') } }
  let reads = 0
  const counted = new Proxy(schema.$defs, {
    get: (target, key: 'a' | 'b') => {
      reads += 1
      return target[key]
    },
  })
  compactSignature('f', { ...schema, $defs: counted })
  expect(reads).toBeLessThan(1_000)
})

test('hidden characters of names and values are shown', () => {
  const schema = object({ 'a\u202Eb': { enum: ['\u200B'] } })
  expect(compactSignature('f', schema).text).toBe('f("a<U+202E>b"?: "<U+200B>")')
})

test('any JSON at all has a signature', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.jsonValue(),
      (schema, properties) => {
        const { text: told } = compactSignature('f', { ...schema, properties } as never)
        expect(told.startsWith('f(')).toBe(true)
      },
    ),
  )
})
