import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { checkOutsider } from './check-outsider.ts'
import { checkSource } from './check-source.ts'
import { findCycles } from './find-cycles.ts'
import { readModule, type Module } from './read-module.ts'
import { resolveImport } from './resolve-import.ts'
import type { Violation } from './violation.ts'

/** What the check saw and what it found. */
export interface RoomReport {
  /** Files of `src`; a check that saw none has failed. */
  readonly sources: number
  /** Files of `examples` and `bench`. */
  readonly outsiders: number
  readonly imports: number
  readonly violations: readonly Violation[]
}

/** Hold the project in `root` to the order of the rooms. */
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
      ...cycleViolations(sources),
      ...outsiders.flatMap((module) => checkOutsider(module, publicNames)),
    ],
  }
}

function readModules(root: string, pattern: string): readonly Module[] {
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
