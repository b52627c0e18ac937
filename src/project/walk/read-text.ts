import type { Diagnostic, Severity } from '../../kernel/diagnostic.ts'
import { decodeText } from '../../skills/parse/decode-text.ts'
import { Findings } from '../../skills/parse/findings.ts'
import { faultDiagnostic } from './file-fault.ts'
import type { ResolvedOptions } from './load-options.ts'
import { readInside } from './read-inside.ts'

/** Read a definition's text; what is wrong with it is added to the diagnostics. */
export async function readText(
  folder: string,
  path: string,
  { limits, followLinksOut }: ResolvedOptions,
  diagnostics: Diagnostic[],
  severity: Severity = 'error',
): Promise<string | null> {
  const outcome = await readInside(folder, path, { maxBytes: limits.maxTextBytes, followLinksOut })
  if (!outcome.ok) {
    diagnostics.push(faultDiagnostic(outcome.fault, severity, path))
    return null
  }
  const findings = new Findings(path)
  const text = decodeText(outcome.bytes, findings)
  diagnostics.push(...findings.list)
  return text
}
