import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitFrontMatter } from '../../../src/skills/parse/parse-front-matter.ts'

test.each([
  { name: 'line feeds', file: '---\na: 1\n---\nbody\n', body: 'body\n' },
  {
    name: 'CRLF, kept in the body',
    file: '---\r\na: 1\r\n---\r\none\r\ntwo\r\n',
    body: 'one\r\ntwo\r\n',
  },
  { name: 'carriage returns', file: '---\ra: 1\r---\rone\rtwo', body: 'one\rtwo' },
  { name: 'a byte order mark', file: '\uFEFF---\na: 1\n---\nbody', body: 'body' },
  { name: 'blanks after the dashes', file: '--- \na: 1\n---\t\nbody', body: 'body' },
  { name: 'no line after the fence', file: '---\na: 1\n---', body: '' },
  { name: 'dashes inside the body', file: '---\na: 1\n---\nx\n---\ny', body: 'x\n---\ny' },
])('front matter is cut from its body with $name', ({ file, body }) => {
  expect(splitFrontMatter(file)).toEqual({ ok: true, yaml: 'a: 1\n', yamlLine: 2, body })
})

test.each([
  { file: '', reason: 'missing' },
  { file: '# Title\n---\na: 1\n---\n', reason: 'missing' },
  { file: ' ---\na: 1\n---\n', reason: 'missing' },
  { file: '---\na: 1\n', reason: 'unclosed' },
  { file: '---\na: 1\n ---\n', reason: 'unclosed' },
  { file: '---js\nmodule.exports = {}\n---\n', reason: 'engine', engine: 'js' },
  { file: '----\na: 1\n----\n', reason: 'engine', engine: '-' },
])('$file is refused as $reason', ({ file, ...expected }) => {
  expect(splitFrontMatter(file)).toEqual({ ok: false, ...expected })
})

test('any body is returned unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (body) => {
      expect(splitFrontMatter(`---\nname: x\n---\n${body}`)).toMatchObject({ ok: true, body })
    }),
  )
})
