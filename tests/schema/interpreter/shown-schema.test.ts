import { expect, test } from 'vitest'
import { shownSchema } from '../../../src/schema/interpreter/shown-schema.ts'

const HIDDEN = 'safe\u202Eevas'
const SHOWN = 'safe<U+202E>evas'

test('descriptions and titles are shown, at any depth; names and values stay', () => {
  const schema = {
    type: 'object',
    title: HIDDEN,
    properties: {
      [HIDDEN]: { enum: [HIDDEN], default: { description: HIDDEN } },
      description: { type: 'array', items: { anyOf: [{ description: HIDDEN }, true] } },
    },
    $defs: { a: { const: { title: HIDDEN }, $comment: HIDDEN } },
    required: [HIDDEN],
  }
  expect(shownSchema(schema)).toEqual({
    type: 'object',
    title: SHOWN,
    properties: {
      [HIDDEN]: { enum: [HIDDEN], default: { description: HIDDEN } },
      description: { type: 'array', items: { anyOf: [{ description: SHOWN }, true] } },
    },
    $defs: { a: { const: { title: HIDDEN }, $comment: SHOWN } },
    required: [HIDDEN],
  })
  expect(Object.keys(shownSchema(schema))).toEqual(Object.keys(schema))
})

test('a schema in which nothing is hidden is the very one that was given', () => {
  const schema = { type: 'object', properties: { a: { description: 'A family: 👩‍👩‍👧' } } }
  expect(shownSchema(schema)).toBe(schema)
})

test('an argument named __proto__ is one like any other', () => {
  const schema = JSON.parse(
    `{"properties":{"__proto__":{"description":${JSON.stringify(HIDDEN)}}}}`,
  ) as object
  expect(JSON.stringify(shownSchema(schema as never))).toContain(
    `"__proto__":{"description":"${SHOWN}"}`,
  )
})
