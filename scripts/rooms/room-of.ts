import { posix } from 'node:path'

/**
 * The rooms of `src` and the line each stands on.
 *
 * A file imports from its own room and from rooms on an earlier line; rooms on
 * one line are neighbours and do not know each other. `entries` stands outside:
 * it may name anything, and nothing imports it.
 */
const LINES = new Map<string, number>([
  ['kernel', 0],
  ['registry', 1],
  ['skills', 2],
  ['components', 2],
  ['catalog', 3],
  ['engine', 4],
  ['search', 4],
  ['render', 5],
  ['session', 6],
  ['workspace', 7],
  ['adapters', 8],
  ['playground', 9],
  ['cli', 10],
])

const LAST_PURE_LINE = 4

const PURE_FOLDERS = ['src/render/prompt/']

export const ENTRIES = 'entries'

/** The room of a path relative to the project, such as `src/engine/decide.ts`. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** Undefined for a folder that is no room. */
export function lineOf(room: string): number | undefined {
  return LINES.get(room)
}

/** Pure files reach no disk, network, clock, dice, console or environment. */
export function isPure(path: string): boolean {
  const line = lineOf(roomOf(path))
  if (line === undefined) return false
  return line <= LAST_PURE_LINE || PURE_FOLDERS.some((folder) => path.startsWith(folder))
}

/** The adapter a path belongs to, such as `disk`: a folder of its own, or one file. */
export function adapterOf(path: string): string | undefined {
  return roomOf(path) === 'adapters' ? path.split('/')[2] : undefined
}

/** The project file a relative import names, or undefined for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.') && !specifier.startsWith('/')) return undefined
  return posix.normalize(posix.join(posix.dirname(from), specifier))
}

/** The package an import names: `ajv` of `ajv/dist/2020.js`, `@a/b` of `@a/b/c`. */
export function packageName(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
