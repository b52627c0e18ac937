import type { Module } from './read-module.ts'
import { ENTRIES, resolveImport, roomOf } from './room-of.ts'

/** The place that defines a public name. */
export interface NameHome {
  /** Relative to the project. */
  readonly path: string
  readonly name: string
}

/** Returns where the names of the entries are defined, by entry and name, such as `src/entries/kit.ts byName`. */
export function readEntries(modules: readonly Module[]): ReadonlyMap<string, NameHome> {
  const homes = new Map<string, NameHome>()
  for (const { path, program } of modules) {
    if (roomOf(path) !== ENTRIES) continue
    for (const statement of program.body) {
      if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) continue
      const home = resolveImport(path, statement.source.value) ?? ''
      for (const { local, exported } of statement.specifiers) {
        if (local.type !== 'Identifier' || exported.type !== 'Identifier') continue
        homes.set(`${path} ${exported.name}`, { path: home, name: local.name })
      }
    }
  }
  return homes
}
