import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { byName } from '../../kernel/by-name.ts'

interface Named {
  readonly name: string
  readonly hash: string
  /** The file it was read from; made in code without it. */
  readonly path?: string
}

/** Definitions of one kind, one a name. */
export interface UniqueByName<T> {
  /** In the order of names. */
  readonly unique: Map<string, T>
  /** Those whose name an earlier one has, in the order of names. */
  readonly shadowed: readonly T[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Keep the first of each name; loaders give what is nearer, such as a project's, before the rest.
 *
 * The same definition from the same file, given again, is not a duplicate.
 */
export function uniqueByName<T extends Named>(
  kind: 'skill' | 'toolset' | 'agent' | 'component',
  items: readonly T[],
): UniqueByName<T> {
  const unique = new Map<string, T>()
  const shadowed: T[] = []
  const diagnostics: Diagnostic[] = []
  for (const item of items.toSorted((a, b) => byName(a.name, b.name))) {
    const first = unique.get(item.name)
    if (first === undefined) unique.set(item.name, item)
    else if (first.hash !== item.hash || first.path !== item.path) {
      shadowed.push(item)
      diagnostics.push({
        code: `duplicate-${kind}`,
        severity: 'warning',
        message: `Two ${kind}s are named "${item.name}": the one ${originOf(first)} is used, the one ${originOf(item)} is not.`,
        hint: `Rename one of the two, or remove the ${kind} that is not used.`,
        ...(item.path !== undefined && { file: item.path }),
      })
    }
  }
  return { unique, shadowed, diagnostics }
}

function originOf({ path }: Named): string {
  return path === undefined ? 'made in code' : `from ${path}`
}
