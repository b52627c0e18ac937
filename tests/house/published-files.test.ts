import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { readEntries } from '../../scripts/rooms/read-entries.ts'
import { readModule } from '../../scripts/rooms/read-module.ts'
import { packageName } from '../../scripts/rooms/room-of.ts'
import { PROJECT } from '../../scripts/run-command.ts'
import { readManifest } from '../../scripts/try-package.ts'

const texts = new Map(
  globSync(['dist/**/*.js', 'src/**/*.{ts,tsx}'], { cwd: PROJECT })
    .toSorted()
    .map((path) => [path, readFileSync(posix.join(PROJECT, path), 'utf8')]),
)

const modules = [...texts].map(([path, text]) => readModule(path, text))

const files = modules.filter(({ path }) => path.startsWith('dist/'))

const homes = readEntries(modules)

/** Returns what a file imports before it runs, in this project and from packages, itself included. */
function loadedWith(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const body = modules.find((file) => file.path === path)?.program.body ?? []
  for (const statement of body) {
    if (!('source' in statement) || statement.source === null) continue
    const source = statement.source.value
    if ('importKind' in statement && statement.importKind === 'type') continue
    if ('exportKind' in statement && statement.exportKind === 'type') continue
    const target = posix.join(path, '..', source)
    if (!source.startsWith('.')) seen.add(packageName(source))
    else if (!target.startsWith('src/entries/')) loadedWith(target, seen)
    else if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        if (specifier.type !== 'ImportSpecifier' || specifier.importKind === 'type') continue
        const { imported } = specifier
        const home = imported.type === 'Identifier' && homes.get(`${target} ${imported.name}`)
        if (home) loadedWith(home.path, seen)
      }
    }
  }
  return seen
}

/** The sources that a published file has the code of, as the bundler names them. */
const SOURCE = /^\/\/ (src\/\S+\.tsx?)(?:\?\w+)?$/gm

const entries = Object.values(readManifest().exports).flatMap((target) =>
  typeof target === 'string' ? [] : (target['default'] ?? []),
)

test.each(entries)('%s loads nothing but what its source imports', (target) => {
  const published = posix.normalize(target)
  const source = published.replace('dist/', 'src/').replace(/\.js$/, '.ts')
  const loaded = [...loadedWith(published)]
  const joined = loaded.flatMap((path) =>
    [...(texts.get(path) ?? '').matchAll(SOURCE)].map(([, one = '']) => one),
  )
  const packages = loaded.filter((path) => !path.startsWith('dist/'))
  expect(joined.length).toBeGreaterThan(1)
  const imported = loadedWith(source)
  expect([...joined, ...packages].filter((one) => !imported.has(one))).toEqual([])
})

test('only the entries of components and hooks need the React and Ink of an application', () => {
  const draws = entries.filter((target) =>
    [...loadedWith(posix.normalize(target))].some((one) => /^(?:ink|react)$/.test(one)),
  )
  expect(draws).toEqual([
    './dist/entries/ink.js',
    './dist/entries/ink-views.js',
    './dist/entries/react.js',
  ])
})

/** Slow to load, so commands load them when they run. */
const LOADED_LATER = ['zod', 'semver', 'diff', 'yaml', 'stemmer', 'zustand', 'react', 'ink']

test('a command starts without the packages that are slow to load, in few modules', () => {
  const loaded = [...loadedWith('dist/cli/main.js')]
  expect(loaded).toContain('commander')
  expect(LOADED_LATER.filter((name) => loaded.includes(name))).toEqual([])
  const joined = loaded.flatMap((path) => [...(texts.get(path) ?? '').matchAll(SOURCE)])
  expect(joined.length).toBeGreaterThan(50)
  expect(joined.length).toBeLessThan(100)
})

test('a command loads the screen only when it opens one', () => {
  const screens = files
    .filter(({ program: { body } }) =>
      body.some((one) => one.type === 'FunctionDeclaration' && one.id?.name === 'Screen'),
    )
    .map(({ path }) => path)
  const loaded = loadedWith('dist/cli/main.js')
  expect(loaded.size).toBeGreaterThan(10)
  // The copy in the entry draws with the React and Ink of an application.
  expect(screens).toHaveLength(2)
  expect(screens.filter((path) => loaded.has(path) || path === 'dist/entries/ink.js')).toEqual([
    'dist/entries/ink.js',
  ])
})

test('an entry, and what a command loads first, are few files', () => {
  const counts = ['entries/index.js', 'entries/node.js', 'cli/main.js'].map(
    (path) => [...loadedWith(`dist/${path}`)].filter((one) => one.startsWith('dist/')).length,
  )
  const few = expect.toSatisfy((count: number) => count > 1 && count < 65)
  expect(counts).toEqual([few, few, expect.toSatisfy((count: number) => count > 10 && count < 30)])
})
