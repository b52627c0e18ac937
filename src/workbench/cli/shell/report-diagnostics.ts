import type { Diagnostic, OpeningNotice } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { CliContext } from './cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { type Paint, paint } from '../../report/writers/paint.ts'
import type { Project } from '../../project/folders/open-project.ts'

/**
 * Reports diagnostics on stderr: errors in full, the others as a count, or in full with `--verbose`.
 * Folders that were not searched, parts of plugins and modules that were not run are always reported, because skills
 * and tools are missing then. With `wants: 'skills'`, so is an empty catalog.
 */
export function reportDiagnostics(
  { diagnostics, catalog, roots }: Pick<Project, 'diagnostics' | 'catalog' | 'roots'>,
  verbose: boolean,
  context: CliContext,
  wants: 'skills' | 'anything' = 'skills',
): void {
  const say = (line: string) => context.stderr.write(`${line}\n`)
  const shown = diagnostics.filter(
    ({ severity, code }) => verbose || severity === 'error' || MISSING.has(code),
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
    const were = length === 1 ? 'was' : 'were'
    say(`loadout: ${counted(length, 'module')} ${were} not run because the folder is not trusted.`)
    say(`  ${sanitiseLine(first.hint)}`)
  }
  if (diagnostics.length > shown.length) {
    const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
      const { length } = diagnostics.filter((one) => one.severity === severity)
      return length === 0 ? [] : [counted(length, severity === 'info' ? 'remark' : severity)]
    })
    say(`loadout: ${counts.join(', ')} in the files; use --verbose to show all.`)
  }
  if (catalog.skills.size === 0 && wants === 'skills') {
    const where = roots.length === 0 ? 'the default folders' : roots.join(', ')
    say(`loadout: no skills were found in ${sanitiseLine(where)}.`)
    if (roots.length === 0) say(`  ${NO_SKILLS_HINT}`)
  }
}

const PAINTS: Readonly<Record<Diagnostic['severity'], Paint>> = {
  error: 'red',
  warning: 'yellow',
  info: 'dim',
}

const NO_SKILLS_HINT = 'Give a folder that contains skills, or create one: loadout init.'

/** Folders that were not searched, and parts of plugins that could not be read. */
const MISSING: ReadonlySet<string> = new Set(['scan-cut', 'plugin-missing', 'plugin-path'])

/** Reported for a folder, not for a module; its hint comes before those of the modules. */
const TRUST_CHANGED = 'trust-changed'

const UNTRUSTED = new Set([
  'handler-untrusted',
  'tool-untrusted',
  'config-untrusted',
  TRUST_CHANGED,
])

/** The code of the notice that a session allows something that does not count for this user. */
export const CONSENT_WITHHELD = 'consent-withheld'

/**
 * Reports on stderr what happened while a session opened, such as refused or changed skills. A program that reads JSON
 * gets only the notice of consent that does not count: its calls are refused.
 */
export function reportNotices(
  notices: readonly OpeningNotice[],
  isJson: boolean,
  { stderr, ...context }: CliContext,
): void {
  for (const notice of notices) {
    const { code, message, hint } = notice
    if (isJson) {
      if (code === CONSENT_WITHHELD) stderr.write(jsonText({ notice }))
      continue
    }
    stderr.write(`${paint('warning', 'yellow', context)}: ${sanitiseLine(message)}\n`)
    if (hint !== '') stderr.write(`  ${sanitiseLine(hint)}\n`)
  }
}

/** Returns the place of a diagnostic as a prefix: `skills/a/SKILL.md:3:1: `; empty without a file. */
export function diagnosticPlace({
  file,
  line,
  column,
}: Pick<Diagnostic, 'file' | 'line' | 'column'>): string {
  if (file === undefined) return ''
  const at = [file, line, column].filter((part) => part !== undefined)
  return `${at.join(':')}: `
}
