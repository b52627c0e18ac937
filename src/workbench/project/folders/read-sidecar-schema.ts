import { join } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'
import type { DefinitionFile } from '../../../entries/definitions.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import { readText } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'

/**
 * Reads the `schema.json` next to a definition, in which older Carnet projects store fields; null
 * without one.
 */
export async function readSidecarSchema(
  { path, entries }: Folder,
  boundary: string,
  options: ResolvedOptions,
  diagnostics: Diagnostic[],
): Promise<NonNullable<DefinitionFile['sidecar']> | null> {
  if (!entries.some(({ name }) => name === 'schema.json')) return null
  const file = join(path, 'schema.json')
  const text = await readText(boundary, file, options, diagnostics, 'warning')
  return text === null ? null : { text, file }
}
