import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, join } from 'node:path'
import type { Node } from 'oxc-parser'
import { expect, test } from 'vitest'
import { packageName, resolveImport } from '../../scripts/rooms/room-of.ts'
import { readModule } from '../../scripts/rooms/read-module.ts'

const project = join(import.meta.dirname, '..', '..')
const entries = globSync('src/entries/*.ts', { cwd: project }).toSorted()

/** Packages that the main entry may not reach, so that it runs anywhere and draws nothing. */
const KEPT_OUT = /^(react|react-dom|ink|chokidar|pg|commander|@types\/.*)$/

/** Modules of Node that the main entry may use. The others are for disk, network or processes. */
const NODE_PARTS = new Set(['node:crypto', 'node:async_hooks', 'node:util'])

/** `zustand` itself is for React. */
const ZUSTAND = 'zustand/vanilla'

/** The class and the types of another library, under its names. */
const CARNET = 'src/entries/carnet.ts'

function read(path: string) {
  return readModule(path, readFileSync(join(project, path), 'utf8'))
}

test.each(entries)('%s gives exactly these names', (path) => {
  const { exports } = read(path)
  const names = exports.map(({ name, kind }) => (kind === 'type' ? `type ${name}` : name))
  expect(names.toSorted()).toMatchSnapshot()
})

test.each(entries)('%s lists its names one by one and defines none', (path) => {
  const { exports } = read(path)
  expect(exports.length).toBeGreaterThan(0)
  expect(exports.filter(({ name, passedOn }) => name === '*' || !passedOn)).toEqual([])
})

/** Names that have a new one, and stay for a minor version. */
const DEPRECATED: ReadonlySet<string> = new Set(['Explanation'])

test('the main entry has at most 126 names, and those that are deprecated', () => {
  const names = read('src/entries/index.ts').exports.map(({ name }) => name)
  expect(names.filter((name) => !DEPRECATED.has(name)).length).toBeLessThanOrEqual(126)
})

test('only the names of Carnet differ from the names in the sources', () => {
  const renamed = entries.flatMap((path) =>
    read(path).program.body.flatMap((statement) =>
      statement.type === 'ExportNamedDeclaration' &&
      statement.specifiers.some(({ local, exported }) => nameIn(local) !== nameIn(exported))
        ? [path]
        : [],
    ),
  )
  expect(new Set(renamed)).toEqual(new Set([CARNET]))
})

/** Names of `loadout/adapter` that `loadout/log` has now. They stay for a minor version. */
const MOVED = ['PruneReport', 'PruneRequest', 'SessionPage', 'SessionSummary', 'entryHash']

test('a name is in one entry, except those of Carnet, the views, servers, and what lint and repair report', () => {
  const of = (path: string) => read(path).exports.map(({ name }) => name)
  const views = new Set(['ink-views', 'plan'].flatMap((name) => of(`src/entries/${name}.ts`)))
  const all = entries
    .filter((path) => path !== CARNET)
    // The components for an application: the views, and those that are bound to a workspace.
    .flatMap((path) => of(path).filter((name) => path !== 'src/entries/ink.ts' || !views.has(name)))
  expect(all.filter((name, index) => all.indexOf(name) < index)).toEqual([
    ...MOVED,
    'ToolServer',
    'LintReport',
    'LogRepair',
  ])
})

test('the doors for connections and the workbench are small', () => {
  expect(read('src/entries/kit.ts').exports.length).toBeLessThanOrEqual(70)
  expect(read('src/entries/adapter.ts').exports.length).toBeLessThanOrEqual(80)
})

function nameIn(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined
}

test('every entry has a subpath, and every subpath an entry', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
  const expected = entries
    .map((path) => basename(path, '.ts'))
    .map((name) => [
      name === 'index' ? '.' : `./${name}`,
      { types: `./dist/entries/${name}.d.ts`, default: `./dist/entries/${name}.js` },
    ])
  expect(entries).toContain('src/entries/index.ts')
  expect(manifest.exports).toEqual({
    ...Object.fromEntries(expected),
    './package.json': './package.json',
  })
})

test('the main entry reaches neither React nor a terminal nor the disk', () => {
  const { files, packages } = reachableFrom('src/entries/index.ts')
  expect(files.size).toBeGreaterThan(30)
  expect(
    [...files].filter((file) => /^src\/(workbench|connections|render\/ink)\//.test(file)),
  ).toEqual([])
  expect([...packages].filter(isKeptOut)).toEqual([])
})

test.each(['react', 'ink', 'node:fs', 'fs', 'node:fs/promises', 'zustand', 'zustand/react'])(
  'importing %s would be noticed',
  (specifier) => {
    expect(isKeptOut(specifier)).toBe(true)
  },
)

function isKeptOut(specifier: string): boolean {
  if (isBuiltin(specifier)) return !NODE_PARTS.has(specifier)
  const name = packageName(specifier)
  if (name === 'zustand') return specifier !== ZUSTAND
  return KEPT_OUT.test(name)
}

/** Returns all files below an entry, types and dynamic imports included, and their external imports. */
function reachableFrom(entry: string) {
  const files = new Set<string>()
  const packages = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue
    files.add(path)
    for (const { specifier } of read(path).imports) {
      const target = resolveImport(path, specifier)
      if (target === undefined) packages.add(specifier)
      else waiting.push(target)
    }
  }
  return { files, packages }
}
