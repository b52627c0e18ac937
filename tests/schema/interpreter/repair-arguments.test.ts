import { expect, test } from 'vitest'
import { repairArguments } from '../../../src/schema/interpreter/repair-arguments.ts'

test('alternatives that lead to each other are resolved once', () => {
  const names = Array.from({ length: 40 }, (_, at) => `s${at}`)
  const all = { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) }
  const $defs = Object.fromEntries(names.map((name) => [name, all]))
  expect(repairArguments({ properties: { n: all }, type: 'object', $defs }, { n: '5' })).toBeNull()
})

test('alternatives with one form for the value are resolved through references', () => {
  const schema = {
    type: 'object',
    properties: { n: { anyOf: [{ $ref: '#/$defs/number' }, { type: 'null' }] } },
    $defs: { number: { type: 'number' } },
  }
  expect(repairArguments(schema, { n: '5' })).toEqual({
    input: { n: 5 },
    repairs: ['/n: a number instead of its text'],
  })
})
