import type { CliContext } from './cli-context.ts'
import { type Paint, paint } from './paint.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { Project } from '../../project/folders/open-project.ts'
import type { OpeningNotice } from '../../workspace/open/opening-notice.ts'

const PAINTS: Readonly<Record<Diagnostic['severity'], Paint>> = {
  error: 'red',
  warning: 'yellow',
  info: 'dim',
}

/**
 * Tell on stderr what is wrong with the files: errors in full, the rest counted, or in full with
 * `--verbose`. Code that was not run and folders that were not looked into are told of either way,
 * since tools and skills are missing for it. That no skill was found matters to who wants skills.
 */
export function reportDiagnostics(
  { diagnostics, catalog, roots }: Pick<Project, 'diagnostics' | 'catalog' | 'roots'>,
  verbose: boolean,
  context: CliContext,
  wants: 'skills' | 'anything' = 'skills',
): void {
  const say = (line: string) => context.stderr.write(`${line}\n`)
  const shown = diagnostics.filter(
    ({ severity, code }) => verbose || severity === 'error' || code === SCAN_CUT,
  )
  for (const { severity, message, hint, ...at } of shown) {
    say(
      `${paint(severity, PAINTS[severity], context)}: ${sanitiseLine(`${diagnosticPlace(at)}${message}`)}`,
    )
    if (hint !== '') say(`  ${sanitiseLine(hint)}`)
  }
  const untrusted = diagnostics.filter(({ code }) => UNTRUSTED.has(code))
  const [first] = untrusted
  if (first !== undefined && !verbose) {
    const { length } = untrusted.filter(({ code }) => code !== TRUST_CHANGED)
    const modules = length === 1 ? '1 module' : `${length} modules`
    say(`loadout: ${modules} not run, because the folder is not trusted.`)
    say(`  ${sanitiseLine(first.hint)}`)
  }
  const hidden = diagnostics.length - shown.length
  if (hidden > 0) say(`loadout: ${count(diagnostics)} about the files; --verbose shows all.`)
  if (catalog.skills.size === 0 && wants === 'skills') {
    const where = roots.length === 0 ? 'in the usual places' : `in ${roots.join(', ')}`
    say(`loadout: no skills were found ${sanitiseLine(where)}.`)
    if (roots.length === 0) say(`  ${NO_SKILLS_HINT}`)
  }
}

const NO_SKILLS_HINT = 'Name a folder that holds some, or begin with one that works: loadout init.'

const SCAN_CUT = 'scan-cut'

/** About the folder whose modules are not run for it; its hint comes before theirs. */
const TRUST_CHANGED = 'trust-changed'

const UNTRUSTED = new Set(['handler-untrusted', 'config-untrusted', TRUST_CHANGED])

function count(diagnostics: readonly Diagnostic[]): string {
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const { length } = diagnostics.filter((one) => one.severity === severity)
    const word = severity === 'info' ? 'remark' : severity
    return length === 0 ? [] : [`${length} ${word}${length === 1 ? '' : 's'}`]
  })
  return counts.join(', ')
}

/** Tell on stderr what happened while a session opened: refused initial skills, changed ones. */
export function reportNotices(notices: readonly OpeningNotice[], context: CliContext): void {
  for (const { message, hint } of notices) {
    context.stderr.write(`${paint('warning', 'yellow', context)}: ${sanitiseLine(message)}\n`)
    if (hint !== '') context.stderr.write(`  ${sanitiseLine(hint)}\n`)
  }
}

/** Where a finding is, to stand before its message: `skills/a/SKILL.md:3:1: `; empty for no file. */
export function diagnosticPlace({
  file,
  line,
  column,
}: Pick<Diagnostic, 'file' | 'line' | 'column'>): string {
  if (file === undefined) return ''
  const at = [file, line, column].filter((part) => part !== undefined)
  return `${at.join(':')}: `
}

/** A finding with every key there, as `--json` prints it. */
export interface DiagnosticReport {
  readonly code: string
  readonly severity: Diagnostic['severity']
  readonly message: string
  readonly hint: string
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
}

/** A finding as it is printed, null where it has no place. */
export function diagnosticReport(finding: Diagnostic): DiagnosticReport {
  const { code, severity, message, hint, file = null, line = null, column = null } = finding
  return { code, severity, message, hint, file, line, column }
}
