import { expect, test } from 'vitest'
import { argumentsFromStrict } from '../../../src/schema/provider-forms/arguments-from-strict.ts'

const schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    limit: { type: 'integer' },
    parent: { type: ['string', 'null'] },
    anything: {},
    rows: { type: 'array', items: { $ref: '#/$defs/row' } },
  },
  required: ['id'],
  $defs: { row: { type: 'object', properties: { note: { type: 'string' } } } },
}

test.each([
  ['an optional member that takes no null is left out', { id: '7', limit: null }, { id: '7' }],
  ['a null that is meant stays', { id: '7', parent: null }, { id: '7', parent: null }],
  ['a member that takes any value keeps its null', { anything: null }, { anything: null }],
  ['a required member keeps it, so that the error is reported', { id: null }, { id: null }],
  ['a member nobody knows keeps it', { other: null }, { other: null }],
  ['lists and references are looked through', { rows: [{ note: null }] }, { rows: [{}] }],
  ['a value that is not an object is unchanged', 'text', 'text'],
])('%s', (_, sent, meant) => {
  expect(argumentsFromStrict(schema, sent)).toEqual(meant)
})
