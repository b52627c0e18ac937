import { basename, dirname } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { LoadedCarnet } from '../folders/load-carnet.ts'
import { type ImportItem, leftItem } from './import-item.ts'

/** What could not be read, and what Carnet's configuration says that has no effect here. */
export function carnetLeft(
  { items, diagnostics, config }: LoadedCarnet,
  place: (path: string | undefined) => string | null,
): readonly ImportItem[] {
  const why = (path: string): string =>
    diagnostics.find(({ file, severity }: Diagnostic) => file === path && severity === 'error')
      ?.message ?? 'It could not be read.'
  const unread = items
    .filter(({ name }) => name === null)
    .map(({ kind, path }) => leftItem(kind, basename(dirname(path)), place(path), why(path)))
  const excluded = diagnostics
    .filter(({ code }) => code === 'carnet-excluded')
    .map(({ message }) => leftItem('file', 'carnet.config.json', 'carnet.config.json', message))
  const output =
    config.output === null
      ? []
      : [
          leftItem(
            'settings',
            'output',
            'carnet.config.json',
            `The manifest of Carnet went to "${config.output}"; "loadout build --out" says where ours goes.`,
          ),
        ]
  return [...unread, ...excluded, ...output]
}
