import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Diagnostic, OpeningNotice } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { CliContext } from './cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { type Paint, paint } from '../../report/writers/paint.ts'
import { OTHER_CLIENT_FOLDERS, SKILL_FOLDERS } from '../../project/walk/link-reach.ts'
import type { Project } from '../../project/folders/open-project.ts'

/**
 * Reports diagnostics on stderr: errors in full, the others as a count, or in full with `--verbose`.
 * Folders that were not searched, parts of plugins and modules that were not run are always reported, because skills
 * and tools are missing then. With `wants: 'skills'`, so is an empty catalog.
 */
export function reportDiagnostics(
  {
    diagnostics,
    catalog,
    roots,
    searched,
    items,
  }: Pick<Project, 'diagnostics' | 'catalog' | 'roots' | 'searched' | 'items'>,
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
  const unread = diagnostics.filter(
    ({ code, severity, file }) =>
      UNREAD.has(code) && severity === 'warning' && !isOfSkill(file, catalog),
  )
  if (unread.length > 0) {
    const names = unread.slice(0, 5).map(({ file = '' }) => basename(file, '.md'))
    const rest = unread.length > 5 ? ` and ${unread.length - 5} more` : ''
    const are = unread.length === 1 ? 'is not read as a skill' : 'are not read as skills'
    say(`loadout: ${sanitiseLine(names.join(', '))}${rest} ${are}; "loadout doctor" says why.`)
  }
  const others = foldersOfOthers(searched, context)
  const of = `loadout: ${others.join(', ')}, of other clients, ${others.length === 1 ? 'is' : 'are'} not searched.`
  const isOfTools = items.length > 0 && items.every(({ kind }) => kind !== 'skill')
  if (catalog.skills.size === 0 && wants === 'skills' && !isOfTools) {
    const isDefault = roots.length === 0
    const where = isDefault ? searched.map((path) => shownPath(path, context)) : roots
    say(`loadout: no skills were found in ${sanitiseLine(where.join(', '))}.`)
    if (others.length > 0) say(of)
    if (isDefault) say(`  ${NO_SKILLS_HINT}`)
  } else if (others.length > 0) say(`${of} "loadout doctor" lists their skills.`)
}

/** Returns the folders of other clients in the project, and in the folders above that are searched; none for given paths. */
function foldersOfOthers(
  searched: readonly string[],
  context: Pick<CliContext, 'cwd' | 'home'>,
): readonly string[] {
  const end = `${sep}${SKILL_FOLDERS[0]}`
  const bases = searched.flatMap((path) => (path.endsWith(end) ? [path.slice(0, -end.length)] : []))
  if (!bases.includes(context.cwd)) return []
  return bases
    .filter((base) => base !== context.home)
    .flatMap((base) => OTHER_CLIENT_FOLDERS.map((one) => join(base, one)))
    .filter((one) => existsSync(one))
    .map((one) => shownPath(one, context))
}

/** Shortens a path in the current folder or in the home. */
export function shownPath(path: string, { cwd, home }: Pick<CliContext, 'cwd' | 'home'>): string {
  if (path.startsWith(cwd + sep)) return relative(cwd, path)
  return home !== null && path.startsWith(home + sep) ? join('~', relative(home, path)) : path
}

function isOfSkill(file = '', { skills }: Pick<Project['catalog'], 'skills'>): boolean {
  return [...skills.values()].some(({ path }) => path && file.startsWith(dirname(path) + sep))
}

/** Findings about something on disk that is not read, other than definitions that could not be loaded. */
const UNREAD: ReadonlySet<string> = new Set(['link-outside', 'skill-one-file'])

const PAINTS: Readonly<Record<Diagnostic['severity'], Paint>> = {
  error: 'red',
  warning: 'yellow',
  info: 'dim',
}

const NO_SKILLS_HINT =
  'Give a folder that contains skills, or create one: loadout init. "loadout doctor" lists skills elsewhere.'

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
