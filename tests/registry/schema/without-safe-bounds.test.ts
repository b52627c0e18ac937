import { expect, test } from 'vitest'
import { z } from 'zod'
import { readInputSchema, readOutputSchema } from '../../../src/tools/schema/read-schema.ts'

const integer = { type: 'integer' }

test.each([
  { of: 'an integer', schema: z.int(), told: integer },
  { of: 'one from 1', schema: z.int().min(1), told: { ...integer, minimum: 1 } },
  { of: 'one to 9', schema: z.int().max(9), told: { ...integer, maximum: 9 } },
  { of: 'one above 0', schema: z.int().positive(), told: { ...integer, exclusiveMinimum: 0 } },
  { of: 'a 32 bit one', schema: z.uint32(), told: { ...integer, minimum: 0, maximum: 4294967295 } },
  {
    of: 'a number that is no integer',
    schema: z.number().max(Number.MAX_SAFE_INTEGER),
    told: { type: 'number', maximum: Number.MAX_SAFE_INTEGER },
  },
  { of: 'a list of integers', schema: z.array(z.int()), told: { type: 'array', items: integer } },
  {
    of: 'an object with members of such names',
    schema: z.object({ maximum: z.int(), minimum: z.int() }),
    told: { type: 'object', properties: { maximum: integer, minimum: integer } },
  },
  {
    of: 'a default of that size',
    schema: z.int().default(Number.MAX_SAFE_INTEGER),
    told: { ...integer, default: Number.MAX_SAFE_INTEGER },
  },
])('$of is told without the bounds of safe integers', ({ schema, told }) => {
  const { jsonSchema } = readInputSchema(z.object({ value: schema }))
  expect(jsonSchema['properties']).toMatchObject({ value: told })
  const { value } = jsonSchema['properties'] as { value: object }
  expect(Object.keys(value).filter((key) => /imum$/iu.test(key))).toEqual(
    Object.keys(told).filter((key) => /imum$/iu.test(key)),
  )
  const size = String(Number.MAX_SAFE_INTEGER)
  expect(JSON.stringify(jsonSchema).includes(size)).toBe(JSON.stringify(told).includes(size))
})

test('a result is told without them, too', () => {
  expect(JSON.stringify(readOutputSchema(z.object({ count: z.int() })).jsonSchema)).not.toContain(
    String(Number.MAX_SAFE_INTEGER),
  )
})

test('values are held to them all the same', async () => {
  const { parse } = readInputSchema(z.object({ count: z.int() }))
  expect(await parse({ count: Number.MAX_SAFE_INTEGER })).toMatchObject({ ok: true })
  expect(await parse({ count: Number.MAX_SAFE_INTEGER + 1 })).toMatchObject({ ok: false })
})

test('what somebody wrote by hand stays as it is', () => {
  const value = { type: 'integer', maximum: Number.MAX_SAFE_INTEGER }
  const { jsonSchema } = readInputSchema({ type: 'object', properties: { value } })
  expect(jsonSchema['properties']).toEqual({ value })
})
