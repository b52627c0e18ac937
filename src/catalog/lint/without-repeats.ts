import type { Diagnostic } from '../../kernel/diagnostic.ts'

/** Codes that say the same as another one about the same line, and the ones they give way to. */
const REPEATS: Readonly<Record<string, readonly string[]>> = {
  'spec-compatibility-kind': ['field-kind'],
  'spec-compatibility-length': ['compatibility-too-long'],
  'spec-description-length': ['description-too-long'],
  'spec-description-missing': ['description-missing'],
  'spec-front-matter': ['front-matter-missing', 'front-matter-unclosed', 'front-matter-engine'],
  'spec-name-folder': ['name-mismatch'],
  'spec-name-missing': ['name-missing'],
  'spec-unknown-field': ['unknown-field', 'field-not-portable', 'portable-client-field'],
  'unknown-field': ['portable-client-field'],
}

/**
 * Findings of which none says what another one does: the readers and the rules of levels see the
 * same mistakes. Of two the one stays that says what follows from it.
 */
export function withoutRepeats(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const once = new Map(findings.map((one) => [JSON.stringify(one), one]))
  const said = new Set([...once.values()].map((one) => keyOf(one.code, one)))
  return [...once.values()].filter(
    (one) =>
      !Object.hasOwn(REPEATS, one.code) ||
      !REPEATS[one.code]?.some((code) => said.has(keyOf(code, one))),
  )
}

function keyOf(code: string, { file = '', line = 0 }: Diagnostic): string {
  return JSON.stringify([code, file, line])
}
