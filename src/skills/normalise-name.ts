const PLAIN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * A name as a model may garble it, in one form: compatibility characters composed, case
 * folded, and every run of spaces, `_`, `.` and dashes one `-`, none at either end.
 *
 * `Web Research`, `web_research` and `ＷＥＢ－RESEARCH` are all `web-research`.
 */
export function normaliseName(name: string): string {
  if (PLAIN.test(name)) return name
  return name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s_.\p{Pd}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
