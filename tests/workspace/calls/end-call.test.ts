import { expect, test } from 'vitest'
import { callTokens } from '../../../src/workspace/calls/end-call.ts'

const characters = { name: 'characters', count: (text: string) => text.length }

test('texts are counted directly, everything else as JSON', () => {
  const tokens = callTokens(characters, { input: { a: 'b' }, output: 'plain "text"' })
  expect(tokens).toEqual({ arguments: 9, result: 12 })
  expect(callTokens(characters, { input: undefined, output: null })).toEqual({
    arguments: 0,
    result: 4,
  })
})

test('a long text is estimated by its first 20,000 characters', () => {
  let counted = 0
  const counter = {
    name: 'noted',
    count: (text: string) => {
      counted += text.length
      return text.length / 2
    },
  }
  const { result } = callTokens(counter, { input: '', output: 'word '.repeat(100_000) })
  expect(counted).toBe(20_000)
  expect(result).toBe(250_000)
})
