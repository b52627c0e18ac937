import { expect, test } from 'vitest'
import { type Lock, lockDrift, lockText, readLock, skillUri } from '../../src/catalog/lock.ts'
import { textHash } from '../../src/kernel/content-hash.ts'

const resource = (path: string, text: string) => ({
  uri: skillUri(path),
  digest: textHash(text),
  size: text.length,
})
const lockOf = (...resources: Lock['skills'][number]['resources']): Lock => ({
  format: 1,
  version: textHash('version'),
  skills: [{ uri: skillUri('a/SKILL.md'), resources }],
  files: [{ path: 'tools/x/doc.md', digest: textHash('x'), size: 1 }],
})
const lock = lockOf(resource('a/SKILL.md', 'A'), resource('a/one.md', 'one'))

test('a lock that is written and read is the same', () => {
  expect(readLock(JSON.parse(lockText(lock)))).toEqual(lock)
  expect(lockDrift(lock, readLock(JSON.parse(lockText(lock))))).toEqual([])
})

test('files that were added, removed and changed are listed by URI', () => {
  const now = lockOf(resource('a/SKILL.md', 'B'), resource('a/two.md', 'two'))
  expect(lockDrift(lock, now).map(({ what, file }) => `${what} ${file}`)).toEqual([
    'changed skill://a/SKILL.md',
    'removed skill://a/one.md',
    'added skill://a/two.md',
  ])
})

test.each([
  ['a/SKILL.md', 'skill://a/SKILL.md'],
  ['a b/é#?.md', 'skill://a%20b/%C3%A9%23%3F.md'],
  ['constructor/%2e%2e.md', 'skill://constructor/%252e%252e.md'],
])('the address of %s is %s', (path, uri) => {
  expect(skillUri(path)).toBe(uri)
})

test.each<[unknown, string]>([
  [null, 'This is not a lock'],
  [{ ...lock, format: 2 }, 'at "format"'],
  [{ ...lock, files: [{ path: 'x', digest: 'md5:1', size: 1 }] }, 'at "files.0.digest"'],
  [{ ...lock, files: [{ path: 'x', digest: textHash(''), size: -1 }] }, 'at "files.0.size"'],
  [{ ...lock, files: [...lock.files, ...lock.files] }, 'names "tools/x/doc.md" twice'],
])('%j is refused with the place', (parsed, where) => {
  expect(() => readLock(parsed)).toThrowError(
    expect.objectContaining({ code: 'LOCK_INVALID', message: expect.stringContaining(where) }),
  )
})
