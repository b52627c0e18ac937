import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodeSplittingGroup, CodeSplittingNameFunction } from 'rolldown'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))

/**
 * The files that many modules are joined into, each with the modules that all load them. A module belongs to the first
 * that fits. The first two are what every command needs, even `--help`, and the first frame of a screen; an index of
 * tools needs no workspace.
 */
const FILES: readonly (readonly [name: string, ...loaders: string[]])[] = [
  ['kernel', 'cli/main.ts', 'entries/index.ts'],
  ['screen', 'playground/open-playground.tsx', 'entries/index.ts'],
  ['search', 'entries/search.ts', 'entries/index.ts'],
  ['loadout', 'entries/index.ts'],
  ['command', 'cli/main.ts', 'entries/node.ts'],
  ['node', 'entries/node.ts'],
]

/**
 * Returns the files of modules that are loaded together. Without them the bundler makes a file for each set of entries
 * that share a module: there were hundreds, and Node finds, reads and compiles each on its own.
 */
export function joinedFiles(): CodeSplittingGroup[] {
  const known = new Map<string, ReadonlySet<string>>()
  const loadedBy = (loader: string, modules: Modules) => {
    const loaded = known.get(loader) ?? withImports(join(SOURCES, loader), modules)
    known.set(loader, loaded)
    return loaded
  }
  return FILES.map(([name, ...loaders]) => ({
    debugName: name,
    name: (id, modules) =>
      loaders.every((loader) => loadedBy(loader, modules).has(id)) ? name : null,
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
