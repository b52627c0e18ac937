import { expect, test } from 'vitest'
import { splitName } from '../../../src/search/index/tool-document.ts'

test.each([
  { name: 'github__create_issue', owner: 'github', bare: 'create_issue' },
  { name: 'mcp__github__create_issue', owner: 'mcp__github', bare: 'create_issue' },
  { name: 'billing/refund', owner: 'billing', bare: 'refund' },
  { name: 'skill:billing/refund', owner: 'skill:billing', bare: 'refund' },
  { name: 'create_issue', owner: '', bare: 'create_issue' },
  { name: '__proto__', owner: '', bare: '__proto__' },
  { name: 'a__', owner: '', bare: 'a__' },
])('$name is $bare of "$owner"', ({ name, owner, bare }) => {
  expect(splitName({ name, description: '' })).toEqual({ owner, bare })
})

test('a given owner wins, and its name is removed from the front', () => {
  expect(splitName({ name: 'github_create_issue', owner: 'GitHub', description: '' })).toEqual({
    owner: 'GitHub',
    bare: 'create_issue',
  })
  expect(splitName({ name: 'githubber', owner: 'github', description: '' }).bare).toBe('githubber')
})
