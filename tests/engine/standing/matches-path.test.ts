import fc from 'fast-check'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { matchesPath } from '../../../src/engine/standing/matches-path.ts'

const both = (pattern: string, path: string) => ({
  some: matchesPath(pattern, path, 'some'),
  every: matchesPath(pattern, path, 'every'),
})

const YES = { some: true, every: true }
const MAYBE = { some: true, every: false }
const NO = { some: false, every: false }

test.each<[string, string, object]>([
  ['src/**', 'src/a.ts', YES],
  ['src/**', 'src/a/b/c.ts', YES],
  ['src/**', 'src', MAYBE],
  ['src/**', 'srcs/a.ts', NO],
  ['src/**', './x/../src//a.ts', YES],
  ['src/**', 'src/../a.ts', NO],
  ['src/**', 'other/src/a.ts', NO],
  ['src/**', '/srv/project/src/a.ts', MAYBE],
  ['src/**', '../project/src/a.ts', MAYBE],
  ['src/**', '~/project/src/a.ts', MAYBE],
  ['src/**', '$HOME/src/a.ts', MAYBE],
  ['src/**', 'file:///srv/%73rc/a.ts', MAYBE],
  ['src/**', 'C:\\work\\src\\a.ts', MAYBE],
  ['src/**', 'src\\a.ts', MAYBE],
  ['src/**', ' src/a.ts', MAYBE],
  ['src/*', 'src/a.ts', YES],
  ['src/*', 'src/a/b.ts', NO],
  ['src/*.ts', 'src/.ts', YES],
  ['*.ts', 'src/a.ts', NO],
  ['**/*.ts', 'src/a/b.ts', YES],
  ['**/*.ts', 'a.ts', YES],
  ['**/.env*', '.env.local', YES],
  ['**/.env*', '/srv/.env', MAYBE],
  ['**/.env*', 'src/my.environment.ts', NO],
  ['a/**/b/**/c', 'a/x/b/y/z/c', YES],
  ['a/**/b/**/c', 'a/b/c', YES],
  ['a/**/b/**/c', 'a/x/c', NO],
  ['**', 'anything/at/all', YES],
  ['/etc/**', '/etc/passwd', YES],
  ['/etc/**', '/tmp/../etc/./passwd', YES],
  ['/etc/**', '/../../etc/passwd', YES],
  ['/etc/**', '../../../etc/passwd', MAYBE],
  ['/etc/**', '/tmp/etc/passwd', NO],
  ['/etc/passwd', '../../passwd', MAYBE],
  ['/etc/passwd', '../../shadow', NO],
  ['/etc/**', 'passwd', NO],
  ['/etc/**', 'C:/etc/passwd', MAYBE],
  ['C:/srv/**', 'c:/srv/a', YES],
  ['C:/srv/**', 'D:/srv/a', NO],
  ['~/.ssh/**', '~/.ssh/id', MAYBE],
  ['~/.ssh/**', '/home/ada/.ssh/id', MAYBE],
  ['../**', '../x', MAYBE],
])('%s and %s', (pattern, path, expected) => {
  expect(both(pattern, path)).toEqual(expected)
})

const name = fc.constantFrom('a', 'b', '.env', 'src')
const step = fc.constantFrom('a', 'b', '.env', 'src', '.', '..', '')
const pattern = fc.array(fc.oneof(name, fc.constantFrom('*', '**', 'a*')), {
  minLength: 1,
  maxLength: 4,
})
const FOLDER = '/w/p'

/** A small model: the absolute path of a file, and the pattern as a regular expression. */
function isMeant(segments: readonly string[], absolute: string): boolean {
  const parts = segments.map((one) =>
    one === '**' ? '(?:[^/]+/)*' : `${one.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}/`,
  )
  return new RegExp(`^${FOLDER}/${parts.join('')}$`).test(`${absolute}/`)
}

test('no spelling of a path below the folder slips past a relative pattern', () => {
  fc.assert(
    fc.property(
      pattern,
      fc.array(step, { maxLength: 8 }),
      fc.boolean(),
      (segments, steps, isAbsolute) => {
        const path = isAbsolute ? `${FOLDER}/${steps.join('/')}` : `./${steps.join('/')}`
        const absolute = posix.resolve(FOLDER, path)
        if (isMeant(segments, absolute))
          expect(matchesPath(segments.join('/'), path, 'some')).toBe(true)
        if (matchesPath(segments.join('/'), path, 'every'))
          expect(isMeant(segments, absolute)).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})

test('no spelling of a path slips past an absolute pattern, but relative ones that stay in their folder', () => {
  fc.assert(
    fc.property(
      pattern,
      fc.array(step, { maxLength: 8 }),
      fc.boolean(),
      (segments, steps, isAbsolute) => {
        const path = `${isAbsolute ? '/' : '../'}${steps.join('/')}`
        const absolute = posix.resolve(FOLDER, path)
        const wanted = `${FOLDER}/${segments.join('/')}`
        if (isMeant(segments, absolute)) expect(matchesPath(wanted, path, 'some')).toBe(true)
        if (matchesPath(wanted, path, 'every')) expect(isMeant(segments, absolute)).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})

test('what certainly matches may match', () => {
  fc.assert(
    fc.property(pattern, fc.array(step), (segments, steps) => {
      const [wanted, path] = [segments.join('/'), steps.join('/')]
      if (matchesPath(wanted, path, 'every')) expect(matchesPath(wanted, path, 'some')).toBe(true)
    }),
  )
})
