import { join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { DefinitionText } from '../../skills/parse/definition-text.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import { readText } from '../walk/read-text.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** The `schema.json` beside a definition, where older Carnet projects keep fields; null without one. */
export async function readBeside(
  { path, entries }: Folder,
  boundary: string,
  options: ResolvedOptions,
  diagnostics: Diagnostic[],
): Promise<NonNullable<DefinitionText['beside']> | null> {
  if (!entries.some(({ name }) => name === 'schema.json')) return null
  const file = join(path, 'schema.json')
  const text = await readText(boundary, file, options, diagnostics, 'warning')
  return text === null ? null : { text, file }
}
