import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonResult } from '../../../../src/workspace/calls/handlers/json-result.ts'

test('any JSON value comes back equal, and is accepted exactly up to its own size', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false, depthSize: 'medium' }), (value) => {
      const text = JSON.stringify(value)
      const bytes = Buffer.byteLength(text)
      const result = jsonResult(value, { maxBytes: bytes })
      expect(result.ok && JSON.stringify(result.value)).toBe(text)
      expect(jsonResult(value, { maxBytes: bytes - 1 }).ok).toBe(false)
    }),
  )
})

test('whatever is accepted survives JSON unchanged', () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true })
  fc.assert(
    fc.property(anything, (value) => {
      const result = jsonResult(value, { maxBytes: 100_000 })
      if (result.ok) expect(JSON.parse(JSON.stringify(result.value))).toEqual(result.value)
      else expect(result.message).not.toBe('')
    }),
  )
})

test('the copy shares nothing with the value', () => {
  const value = { list: [{ id: 1 }] }
  const result = jsonResult(value, { maxBytes: 1000 })
  for (const item of value.list) item.id = 2
  expect(result).toMatchObject({ ok: true, value: { list: [{ id: 1 }] } })
})

test('one object in two places is no cycle', () => {
  const shared = { id: 1 }
  expect(jsonResult([shared, shared], { maxBytes: 1000 })).toMatchObject({ ok: true })
})

test('the path is a JSON pointer, with its two special characters escaped', () => {
  expect(jsonResult({ 'a/b': [{ 'c~d': 1n }] }, { maxBytes: 1000 })).toMatchObject({
    path: '/a~1b/0/c~0d',
  })
})

test.each([
  { levels: 100, ok: true },
  { levels: 101, ok: false },
])('$levels levels: $ok', ({ levels, ok }) => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  expect(jsonResult(value, { maxBytes: 10_000 }).ok).toBe(ok)
})
