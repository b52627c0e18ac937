import { globSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { CodeSplittingGroup, CodeSplittingNameFunction } from 'rolldown'
import { PROJECT } from '../run-command.ts'

/** The modules that commands load: most of them when they begin, the last before the first frame of a screen. */
const COMMAND = [
  'src/entries/index.ts',
  'src/entries/node.ts',
  'src/workbench/cli/main.ts',
  'src/workbench/playground/open-playground.tsx',
]

/** The modules through which everything is loaded that is not loaded later: by commands, and by applications. */
const LOADERS = [
  ...new Set([...COMMAND, ...globSync('src/entries/*.ts', { cwd: PROJECT }).toSorted()]),
]

/**
 * Returns the files of modules that are loaded together: modules with the same loaders are one file. So an entry loads
 * nothing but what its source imports, in few files. The bundler alone would also part what commands load later: there
 * were hundreds of files, and Node finds, reads and compiles each on its own. It places the modules of one entry, because
 * a command that loads one of them later needs nothing of the others, such as Ink.
 *
 * A file takes in what its modules import, unless an earlier file has it. What is imported has at least the loaders of
 * what imports it, so the files with the most loaders are first.
 */
export function joinedFiles(): CodeSplittingGroup[] {
  const known = new Map<string, ReadonlySet<string>>()
  const loadedBy = (loader: string, modules: Modules) => {
    const loaded = known.get(loader) ?? withImports(join(PROJECT, loader), modules)
    known.set(loader, loaded)
    return loaded
  }
  const sets = new Set<string>()
  return LOADERS.map((_, fewer) => ({
    debugName: `modules with ${LOADERS.length - fewer} loaders`,
    name: (id, modules) => {
      const loaders = LOADERS.filter((loader) => loadedBy(loader, modules).has(id))
      const [first = '', ...others] = loaders
      if (loaders.length !== LOADERS.length - fewer) return null
      if (others.length === 0 && !COMMAND.includes(first)) return null
      const name = basename(first, extname(first))
      if (others.length === 0) return name
      sets.add(loaders.join())
      return `${name}-${[...sets].indexOf(loaders.join())}`
    },
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
