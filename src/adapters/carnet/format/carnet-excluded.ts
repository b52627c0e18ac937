import { join, relative } from 'node:path'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { CARNET_CONFIG } from './carnet-names.ts'

const MOST_NAMED = 5

/** The finding for definitions that `include` and `exclude` of a Carnet project leave out, if any. */
export function carnetExcluded(root: string, left: readonly string[]): readonly Diagnostic[] {
  if (left.length === 0) return []
  const named = left.map((path) => relative(root, path).replaceAll('\\', '/')).sort()
  const shown = named.slice(0, MOST_NAMED).join(', ')
  return [
    {
      code: 'carnet-excluded',
      severity: 'info',
      message: `"include" and "exclude" leave out ${left.length} ${left.length === 1 ? 'file' : 'files'}: ${shown}${named.length > MOST_NAMED ? ' and others' : ''}.`,
      hint: 'Change the globs if they should be read.',
      file: join(root, CARNET_CONFIG),
    },
  ]
}
