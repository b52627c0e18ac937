import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { checkHouse } from './check-house.ts'
import { checkSource, type Violation } from './check-source.ts'
import { type HouseFigures, measureHouse } from './measure-house.ts'
import { type Module, readModule } from './read-module.ts'
import { packageName, resolveImport } from './room-of.ts'

/** The result of the check. */
interface RoomReport {
  /** Files of `src`; a check that saw none has failed. */
  readonly sources: number
  /** Files of `examples` and `bench`. */
  readonly outsiders: number
  readonly imports: number
  readonly violations: readonly Violation[]
  readonly figures: HouseFigures
}

/** Checks the project in `root` against the rules of the house: rooms, floors, folders, files and names. */
export function checkRooms(root: string): RoomReport {
  const sources = readModules(root, 'src/**/*.{ts,tsx}')
  const outsiders = readModules(root, '{examples,bench}/**/*.{ts,tsx,js,mjs}')
  const publicNames = outsiders.length === 0 ? new Set<string>() : readPublicNames(root)
  return {
    sources: sources.length,
    outsiders: outsiders.length,
    imports: [...sources, ...outsiders].reduce((sum, { imports }) => sum + imports.length, 0),
    violations: [
      ...sources.flatMap(checkSource),
      ...checkHouse(sources),
      ...cycleViolations(sources),
      ...outsiders.flatMap((module) => checkOutsider(module, publicNames)),
    ],
    figures: measureHouse(sources),
  }
}

/** Returns the files that match a pattern, parsed, sorted by their paths. */
export function readModules(root: string, pattern: string): readonly Module[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/public-skills/**'] })
    .map((path) => path.split(sep).join('/'))
    .sort()
    .map((path) => readModule(path, readFileSync(join(root, path), 'utf8')))
}

function readPublicNames(root: string): ReadonlySet<string> {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return new Set(Object.keys(exports).map((subpath) => `${name}${subpath.slice(1)}`))
}

function cycleViolations(modules: readonly Module[]): readonly Violation[] {
  const graph = new Map(
    modules.map(({ path, imports }) => [
      path,
      imports.flatMap(({ specifier }) => resolveImport(path, specifier) ?? []),
    ]),
  )
  return findCycles(graph).map((cycle) => ({
    file: cycle[0] ?? '',
    line: 1,
    rule: 'cycle',
    message: `${cycle.join(' -> ')}. Move what they share into a file of its own.`,
  }))
}

/**
 * Checks that a file of `examples` or `bench` imports only what a user of the package can import: the
 * public names, packages, and the files of its own example.
 *
 * @param publicNames the subpaths of `exports`, such as `loadout` and `loadout/node`
 */
function checkOutsider(module: Module, publicNames: ReadonlySet<string>): readonly Violation[] {
  const own = ownFolder(module.path)
  return module.imports.flatMap(({ specifier, at }) => {
    const target = resolveImport(module.path, specifier)
    const allowed =
      target === undefined
        ? packageName(specifier) !== 'loadout' || publicNames.has(specifier)
        : target.startsWith(own)
    if (allowed) return []
    const message = `${specifier} is not a public name. Use ${[...publicNames].join(', ')} or files below ${own}`
    return [{ file: module.path, line: module.lineAt(at), rule: 'private-import', message }]
  })
}

/** `examples/workbench/` of `examples/workbench/lib/a.ts`; `bench/` for all of the bench. */
function ownFolder(path: string): string {
  const parts = path.split('/')
  return `${parts.slice(0, parts[0] === 'examples' && parts.length > 2 ? 2 : 1).join('/')}/`
}

/**
 * Returns the import cycles of a graph, each as its files with the first one repeated.
 *
 * Type imports count: two files that need each other's types are one concept, or a third
 * file is missing. Returns one cycle for each edge that closes one, not every combination.
 */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      const start = path.indexOf(next)
      if (start >= 0) cycles.push([...path.slice(start), next])
      else if (!done.has(next)) visit(next)
    }
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) if (!done.has(file)) visit(file)
  return cycles
}
