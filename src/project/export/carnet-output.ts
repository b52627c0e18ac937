import { join, resolve } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { CARNET_CONFIG } from '../../adapters/carnet/format/carnet-names.ts'
import { isInside } from '../walk/is-inside.ts'
import type { CarnetFolder } from '../folders/loaded.ts'

/**
 * The folder that a Carnet project's manifest is written to: its `output`, relative to the project that
 * holds it, as with Carnet's own command, else the Carnet folder. A configuration is a file from
 * somewhere, so an `output` that leads out of the project has no effect, with a finding.
 */
export function carnetOutput(
  { folder, config }: CarnetFolder,
  project: string,
): { readonly folder: string; readonly diagnostics: readonly Diagnostic[] } {
  if (config.output === null) return { folder, diagnostics: [] }
  const root = resolve(project)
  const output = resolve(root, config.output)
  if (isInside(root, output)) return { folder: output, diagnostics: [] }
  const diagnostic: Diagnostic = {
    code: 'path-outside',
    severity: 'warning',
    message: `The configuration writes to "${config.output}", which is outside the project; "${folder}" is written to.`,
    hint: 'Say where to write yourself.',
    file: join(folder, CARNET_CONFIG),
  }
  return { folder, diagnostics: [diagnostic] }
}
