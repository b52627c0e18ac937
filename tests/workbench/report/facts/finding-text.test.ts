import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortestPaths } from '../../../../src/workbench/report/facts/finding-text.ts'

test('a path is as short as it can be among the others', () => {
  const paths = [
    '/a/mail/SKILL.md',
    '/a/owls/SKILL.md',
    '/a/owls/notes.md',
    '/b/owls/SKILL.md',
    'x.md',
  ]
  expect([...shortestPaths(paths).values()]).toEqual([
    'mail/SKILL.md',
    'a/owls/SKILL.md',
    'notes.md',
    'b/owls/SKILL.md',
    'x.md',
  ])
  expect([...shortestPaths(['C:\\a\\one.md', 'C:\\b\\one.md']).values()]).toEqual([
    'a/one.md',
    'b/one.md',
  ])
})

test('two paths are never shortened to the same text', () => {
  const part = fc.constantFrom('a', 'b', 'c')
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(fc.uniqueArray(path), (paths) => {
      const short = [...shortestPaths(paths).values()]
      expect(new Set(short).size).toBe(paths.length)
    }),
  )
})
