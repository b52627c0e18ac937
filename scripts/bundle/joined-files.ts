import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodeSplittingGroup, CodeSplittingNameFunction } from 'rolldown'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))

/**
 * The files that many modules are joined into, each with the entries that all load them. A module belongs to the first
 * that fits. The first is what every command needs, even `--help`; an index of tools needs no workspace.
 */
const FILES: readonly (readonly [name: string, ...entries: string[]])[] = [
  ['kernel', 'cli/main', 'entries/index'],
  ['search', 'entries/search', 'entries/index'],
  ['loadout', 'entries/index'],
  ['command', 'cli/main', 'entries/node'],
  ['node', 'entries/node'],
]

/**
 * Returns the files of modules that are loaded together. Without them the bundler makes a file for each set of entries
 * that share a module: there were hundreds, and each takes half a millisecond to load.
 */
export function joinedFiles(): CodeSplittingGroup[] {
  const known = new Map<string, ReadonlySet<string>>()
  const loadedBy = (entry: string, modules: Modules) => {
    const loaded = known.get(entry) ?? withImports(join(SOURCES, `${entry}.ts`), modules)
    known.set(entry, loaded)
    return loaded
  }
  return FILES.map(([name, ...entries]) => ({
    debugName: name,
    name: (id, modules) =>
      entries.every((entry) => loadedBy(entry, modules).has(id)) ? name : null,
  }))
}

/** The modules of a build, once all of them were read. */
type Modules = Parameters<CodeSplittingNameFunction>[1]

/** Returns a module with all that it imports, directly or not, except what it imports later. */
function withImports(path: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([path])
  for (const id of found) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  }
  return found
}
