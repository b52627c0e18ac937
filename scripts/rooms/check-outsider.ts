import { packageName } from './package-name.ts'
import type { Module } from './read-module.ts'
import { resolveImport } from './resolve-import.ts'
import type { Violation } from './violation.ts'

/**
 * Hold a file of `examples` or `bench` to what a user of the package has: the public
 * names, packages, and the files of its own example.
 *
 * @param publicNames the subpaths of `exports`, such as `loadout` and `loadout/node`
 */
export function checkOutsider(
  module: Module,
  publicNames: ReadonlySet<string>,
): readonly Violation[] {
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
