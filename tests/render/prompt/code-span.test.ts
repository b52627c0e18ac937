import { expect, test } from 'vitest'
import { codeSpan } from '../../../src/render/prompt/forms/code-span.ts'

test.each([
  ['pdf', '`pdf`'],
  ['a`b', '``a`b``'],
  ['``a', '``` ``a ```'],
  ['`', '`` ` ``'],
])('the name %j is written %s', (name, span) => {
  expect(codeSpan(name)).toBe(span)
})
