import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { checkLookAlikes } from '../look-alikes.ts'
import type { LintItem } from './lint-item.ts'

const KINDS = ['skill', 'tool', 'toolset', 'agent'] as const

/** Codes of a catalog's findings about names that are told anew, with their files. */
export const NAME_CODES: ReadonlySet<string> = new Set(['look-alike-name', 'duplicate-tool'])

/** A tool that stands in a file, with that file. */
export interface SharedTool {
  readonly name: string
  readonly version: string
  readonly hash: string
  readonly file: string
}

/**
 * Names that are taken for another, with the file of the later one; and shared tools of one name
 * and version, with both files.
 */
export function checkNames(
  items: readonly LintItem[],
  shared: readonly SharedTool[],
): readonly Diagnostic[] {
  const alike = KINDS.flatMap((kind) => {
    const files = new Map<string, string>()
    for (const item of items) {
      if (item.kind === kind && item.name !== null && !files.has(item.name)) {
        files.set(item.name, item.path)
      }
    }
    return checkLookAlikes(kind, [...files.keys()].sort(), (name) => files.get(name))
  })
  const first = new Map<string, SharedTool>()
  const twice = shared.flatMap((tool): readonly Diagnostic[] => {
    const key = `${tool.name}@${tool.version}`
    const before = first.get(key)
    if (before === undefined) {
      first.set(key, tool)
      return []
    }
    if (before.hash === tool.hash) return []
    return [
      {
        code: 'duplicate-tool',
        severity: 'warning',
        message: `Two shared tools are "${tool.name}" in version ${tool.version}, with different definitions: the one from ${before.file} is used, the one from ${tool.file} is not.`,
        hint: 'Give one of the two another name or version.',
        file: tool.file,
      },
    ]
  })
  return [...alike, ...twice]
}
