import { expect, test } from 'vitest'
import { schemaWords } from '../../../src/search/index/document-fields.ts'

test('names, values and descriptions come from any depth', () => {
  const schema = {
    description: 'of the tool itself',
    properties: {
      city: { type: 'string', description: 'Where to look.' },
      units: { enum: ['celsius', 'kelvin', 3] },
      filter: { anyOf: [{ properties: { since: { description: 'A date.' } } }, { type: 'null' }] },
      rows: { items: { properties: { id: {} } } },
    },
  }
  expect(schemaWords(schema)).toEqual({
    names: ['city', 'units', 'celsius', 'kelvin', 'filter', 'since', 'rows', 'id'],
    texts: ['Where to look.', 'A date.'],
  })
})

test('an endless schema costs little', () => {
  const endless: Record<string, unknown> = {}
  endless['properties'] = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`p${at}`, endless]),
  )
  endless['anyOf'] = Array.from({ length: 50 }, () => endless)
  expect(schemaWords(endless).names.length).toBeLessThanOrEqual(200)
})

test('a parameter that is nested too deeply is left out', () => {
  const nested = (depth: number): Record<string, unknown> =>
    depth === 0 ? {} : { properties: { [`p${depth}`]: nested(depth - 1) } }
  expect(schemaWords(nested(20)).names).toEqual(['p20', 'p19', 'p18', 'p17', 'p16', 'p15', 'p14'])
})

test('endless alternatives cost little', () => {
  let looked = 0
  const endless: Record<string, unknown> = {
    get description() {
      looked += 1
      return ''
    },
  }
  endless['oneOf'] = Array.from({ length: 50 }, () => endless)
  schemaWords(endless)
  expect(looked).toBeGreaterThan(0)
  expect(looked).toBeLessThan(10_000)
})

test.each([undefined, {}, { properties: null }, { properties: [1], items: true, enum: 'a' }])(
  '%j has no words',
  (schema) => {
    expect(schemaWords(schema as never)).toEqual({ names: [], texts: [] })
  },
)
