import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { checkLookAlikes } from '../create/check-look-alikes.ts'
import type { LintItem } from './checks/lint-item.ts'

const KINDS = ['skill', 'tool', 'toolset', 'agent'] as const

/** Codes of a catalog's findings about names, which knows no files of them; told anew with files. */
const LOOK_ALIKE = 'look-alike-name'
const DUPLICATE_TOOL = 'duplicate-tool'

/**
 * A catalog's findings, with the files that those about names lack: of names that are taken for
 * another, the later one's; of shared tools that have one name, all of them.
 */
export function withFilesOfNames(
  findings: readonly Diagnostic[],
  items: readonly LintItem[],
): readonly Diagnostic[] {
  const alike = KINDS.flatMap((kind) => {
    const files = new Map(
      items.flatMap((item) =>
        item.kind === kind && item.name !== null ? [[item.name, item.path] as const] : [],
      ),
    )
    return checkLookAlikes(kind, [...files.keys()].sort(), (name) => files.get(name))
  })
  const told = new Set(alike.map(({ message }) => message))
  const rest = findings.flatMap((one): readonly Diagnostic[] => {
    if (one.code === LOOK_ALIKE) return told.has(one.message) ? [] : [one]
    return one.code === DUPLICATE_TOOL ? [withFiles(one, items)] : [one]
  })
  return [...rest, ...alike]
}

function withFiles(one: Diagnostic, items: readonly LintItem[]): Diagnostic {
  const files = items
    .filter(({ kind, name }) => kind === 'tool' && one.message.includes(`"${name}"`))
    .map(({ path }) => path)
  const file = files.at(-1)
  if (file === undefined) return one
  return { ...one, message: `${one.message} They stand in ${files.join(' and ')}.`, file }
}
