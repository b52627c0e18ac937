import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { definitionsOfManifest } from '../../adapters/carnet/format/definitions-of-manifest.ts'
import { readCarnetManifest } from '../../adapters/carnet/format/read-carnet-manifest.ts'
import { Findings } from '../../skills/parse/findings.ts'
import { parseJson } from '../../skills/parse/parse-json.ts'
import { type Found, NOTHING_FOUND } from './found.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import type { LoadedItem } from './loaded.ts'
import { readText } from '../walk/read-text.ts'

/** Read a `carnet.manifest.json`; it may be as large as a whole skill. */
export async function loadCarnetManifest(
  file: string,
  root: string,
  options: ResolvedOptions,
): Promise<Found> {
  const diagnostics: Diagnostic[] = []
  const { maxSkillBytes } = options.limits
  const limits = { ...options.limits, maxTextBytes: maxSkillBytes }
  const text = await readText(root, file, { ...options, limits }, diagnostics)
  const findings = new Findings(file)
  const parsed = text === null ? null : parseJson(text, findings, 'values')
  diagnostics.push(...findings.list)
  if (parsed === null) return { ...NOTHING_FOUND, diagnostics, files: 1 }
  const read = readCarnetManifest(parsed.value, file)
  diagnostics.push(...read.diagnostics)
  if (read.manifest === null) return { ...NOTHING_FOUND, diagnostics, files: 1 }
  const { diagnostics: found, ...definitions } = definitionsOfManifest(read.manifest, file)
  const { skills, toolsets, tools, agents } = definitions
  const items = (kind: LoadedItem['kind'], named: readonly { readonly name: string }[]) =>
    named.map(({ name }) => ({ kind, path: file, name }))
  return {
    ...NOTHING_FOUND,
    ...definitions,
    items: [
      ...items('skill', skills),
      ...items('toolset', toolsets),
      ...items('tool', tools),
      ...items('agent', agents),
    ],
    diagnostics: [...diagnostics, ...found],
    files: 1,
  }
}
