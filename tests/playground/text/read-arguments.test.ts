import { expect, test } from 'vitest'
import { readArguments } from '../../../src/playground/changes/make-call.ts'

test('what is not JSON is told without control characters', () => {
  expect(readArguments('  ')).toEqual({ ok: true, value: {} })
  expect(readArguments('{"a": [1, null]}')).toEqual({ ok: true, value: { a: [1, null] } })
  const bad = readArguments('{"a": \u001B}')
  expect(bad.ok).toBe(false)
  expect(JSON.stringify(bad)).toMatch(/This is not JSON: /u)
  expect(bad.ok ? '' : bad.problem).not.toContain('\u001B')
})
