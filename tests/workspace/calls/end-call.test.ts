import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callTokens } from '../../../src/workspace/calls/end-call.ts'

const characters = { name: 'characters', count: (text: string) => text.length }

/** Characters that are counted at once. */
function piecesOf(output: string): readonly string[] {
  const pieces: string[] = []
  const count = (text: string) => {
    pieces.push(text)
    return text.length
  }
  callTokens({ name: 'noted', count }, { input: '', output })
  return pieces
}

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

test('no piece is longer than a tokenizer takes quickly, and none is torn', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', '🙂', 'é'), maxLength: 3_000, size: 'max' }),
      (text) => {
        const pieces = piecesOf(text)
        expect(pieces.join('')).toBe(text)
        expect(pieces.every((piece) => piece.length <= 500 && piece.isWellFormed())).toBe(true)
      },
    ),
  )
  expect(piecesOf(`${'a'.repeat(499)} b${'🙂'.repeat(400)}`).map(({ length }) => length)).toEqual([
    499, 500, 302,
  ])
})
