import { expect, test } from 'vitest'
import { codeSpan } from '../../../src/render/prompt/forms/write-markdown.ts'

test.each([
  ['pdf', '`pdf`'],
  ['a`b', '``a`b``'],
  ['``a', '``` ``a ```'],
  ['`', '`` ` ``'],
])('the name %j is written %s', (name, span) => {
  expect(codeSpan(name)).toBe(span)
})
