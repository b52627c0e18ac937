import { expect, test } from 'vitest'
import { mayHaveMember } from '../../../src/schema/interpreter/unknown-arguments.ts'

const text = { type: 'string' }
const mail = {
  type: 'object',
  properties: {
    to: { type: 'array', items: { type: 'object', properties: { name: text } } },
    'user.name': text,
    any: {},
    matrix: { type: 'array', items: { type: 'array', items: text } },
    node: { $ref: '#/$defs/node' },
    either: { anyOf: [text, { type: 'object', properties: { id: text } }] },
  },
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, id: text } } },
}

test.each([
  'to',
  'to.*.name',
  'to.0.name',
  'to.name',
  'user.name',
  '*',
  'any.thing.at.all',
  'matrix.1.2',
  'matrix.*',
  'node.next.next.id',
  'either.id',
])('a value may be at %s', (path) => {
  expect(mayHaveMember(mail, path)).toBe(true)
})

test.each(['too', 'to.*.nme', 'username', 'user', 'user.name.x', 'node.next.nxt', 'either.if'])(
  'nothing is at %s',
  (path) => {
    expect(mayHaveMember(mail, path)).toBe(false)
  },
)

test.each([
  { schema: {}, may: true },
  { schema: { type: 'object' }, may: true },
  { schema: { type: 'object', properties: {}, additionalProperties: false }, may: false },
  { schema: { type: 'object', properties: {}, additionalProperties: true }, may: true },
  { schema: { type: 'object', properties: {}, additionalProperties: text }, may: true },
  { schema: { type: 'object', properties: {}, patternProperties: { '^x': text } }, may: true },
  { schema: { properties: { to: false } }, may: false },
  { schema: { items: { $ref: '#' } }, may: false },
])('$schema', ({ schema, may }) => {
  expect(mayHaveMember(schema, 'to')).toBe(may)
})

test('a schema whose parts lead to each other is looked at once for each part of the path', () => {
  const names = Array.from({ length: 30 }, (_, at) => `s${at}`)
  const items = { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) }
  const part = { properties: { known: {} }, items, additionalProperties: items }
  const $defs = Object.fromEntries(names.map((name) => [name, structuredClone(part)]))
  expect(mayHaveMember({ $defs, $ref: '#/$defs/s0' }, 'a.b.c.d.e.f.g.h')).toBe(true)
  const lists = Object.fromEntries(
    names.map((name) => [name, structuredClone({ properties: {}, items })]),
  )
  expect(mayHaveMember({ $defs: lists, $ref: '#/$defs/s0' }, 'a.*.0.b')).toBe(false)
})
