import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageName } from '../../scripts/rooms/room-of.ts'
import { readModule } from '../../scripts/rooms/read-module.ts'

const dist = join(import.meta.dirname, '..', '..', 'dist')
const files = globSync('**/*.js', { cwd: dist })
  .toSorted()
  .map((path) => readModule(path, readFileSync(join(dist, path), 'utf8')))

/** Returns the published files that a file imports before it runs, itself included. */
function loadedWith(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const body = files.find((file) => file.path === path)?.program.body ?? []
  for (const statement of body) {
    const source = 'source' in statement ? statement.source?.value : undefined
    if (source?.startsWith('.')) loadedWith(join(path, '..', source), seen)
  }
  return seen
}

test('only the entries of components and hooks need the React and Ink of an application', () => {
  const drawn = files.filter(({ imports }) =>
    imports.some(({ specifier }) => /^(?:ink|react)$/.test(packageName(specifier))),
  )
  expect(drawn.map(({ path }) => path)).toEqual(['entries/ink.js', 'entries/react.js'])
})

test('a command loads the screen only when it opens one', () => {
  const screens = files
    .filter(({ program: { body } }) =>
      body.some((one) => one.type === 'FunctionDeclaration' && one.id?.name === 'Screen'),
    )
    .map(({ path }) => path)
  const loaded = loadedWith('cli/main.js')
  expect(loaded.size).toBeGreaterThan(10)
  // The copy in the entry draws with the React and Ink of an application.
  expect(screens).toHaveLength(2)
  expect(screens.filter((path) => loaded.has(path) || path === 'entries/ink.js')).toEqual([
    'entries/ink.js',
  ])
})

test('an entry, and what a command loads first, are few files', () => {
  const counts = ['entries/index.js', 'entries/node.js', 'cli/main.js'].map(
    (path) => loadedWith(path).size,
  )
  expect(counts).toEqual([5, 7, expect.toSatisfy((count: number) => count > 10 && count < 30)])
})
