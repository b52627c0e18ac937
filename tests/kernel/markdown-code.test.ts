import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdownCode } from '../../src/kernel/substitute-variables.ts'

/** Returns the longest parts of a text whose places are all in code. */
function codeIn(text: string): readonly string[] {
  const isCode = markdownCode(text)
  const shown = text.replaceAll(/[^]/g, (letter, at: number) => (isCode(at) ? letter : '\0'))
  return shown.split(/\0+/).filter((part) => part !== '')
}

test.each([
  ['none', 'Say `', []],
  ['a span', 'Say `a` and ``b ` c``.', ['`a`', '``b ` c``']],
  ['a span over two lines', 'Say `a\nb` c.', ['`a\nb`']],
  ['no span over two paragraphs', 'Say `a\n\nb` c.', []],
  ['a block', 'A\n```sh\n$1\n```\nB `c`', ['```sh\n$1\n```\n', '`c`']],
  ['a block of tildes with backquotes', '~~~ `x`\n```\n~~~\nB', ['~~~ `x`\n```\n~~~\n']],
  ['a longer fence around a shorter one', '````\n```\n````\nB', ['````\n```\n````\n']],
  ['a fence with a language ends no block', '```\n```sh\n```\nB', ['```\n```sh\n```\n']],
  ['a block without an end', 'A\n```\nb\n\nc', ['```\nb\n\nc']],
  ['three backquotes on one line', '```a``` b\nc $1', ['```a```']],
  ['lines that end in CRLF', '```\r\n$1\r\n```\r\nB', ['```\r\n$1\r\n```\r\n']],
])('the code of a text: %s', (_what, text, code) => {
  expect(codeIn(text)).toEqual(code)
})

test('a paragraph has the same code, whatever paragraphs are around it', () => {
  const unit = fc.constantFrom('`', '``', 'a', ' ', '\n', '$1', '~~')
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), fc.array(unit, { maxLength: 20 }), (a, b) => {
      const [before, after] = [a.join('').replaceAll('```', ''), b.join('').replaceAll('```', '')]
      fc.pre(![before, after].some((one) => /~~~|```/.test(one)))
      const text = `${before}\n\nSay \`$1\` or $2.\n\n${after}`
      const isCode = markdownCode(text)
      const at = before.length + 2
      const places = ['Say', '`$1`', 'or'].map((part) => text.indexOf(part, at))
      expect(places.map(isCode)).toEqual([false, true, false])
    }),
  )
})
