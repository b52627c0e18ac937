import { CLIENT_CODES } from './checks/client-rules.ts'
import { CATALOG_CODES, DEFINITION_CODES } from './codes/definition-codes.ts'
import { type DiagnosticGroup, LINT_LEVELS, type LintLevel } from './codes/diagnostic-group.ts'
import { NATIVE_CODES, PROJECT_CODES } from './codes/project-codes.ts'
import { FILE_CODES, READING_CODES } from './codes/reading-codes.ts'
import { SPECIFICATION_CODES } from './codes/specification-codes.ts'

/** Findings of work other than reading folders. */
const OTHER_CODES: DiagnosticGroup = {
  title: 'Elsewhere',
  origin: 'Watching, running, manifests, export and logs.',
  level: null,
  codes: {
    'handler-untrusted': {
      severity: ['warning'],
      what: 'A handler was not run: its folder is not trusted. Lint runs no handlers, so it does not report this.',
      hint: 'Read the code, then run `loadout trust`, or use `--trust` for one run.',
    },
    'project-unreadable': {
      severity: ['error'],
      what: 'A watched project cannot be read at the moment; its last readable state stays in use.',
      hint: 'Correct the problem that the finding names.',
    },
    'watch-failed': {
      severity: ['warning'],
      what: 'A folder cannot be watched; changes in it are not noticed.',
      hint: 'Restart after changes, or raise the limits of the operating system.',
    },
    'component-missing': {
      severity: ['warning'],
      what: 'A manifest was built with a component that was not given when it was loaded.',
      hint: 'Give the component, or build the manifest again.',
    },
    'component-changed': {
      severity: ['warning'],
      what: 'A component is not the one that the manifest was built with.',
      hint: 'Build the manifest again.',
    },
    'component-added': {
      severity: ['info'],
      what: 'A component was given with which the manifest was not built.',
      hint: 'Build the manifest again, so that its version covers the component.',
    },
    'carnet-lost': {
      severity: ['warning'],
      what: 'A Carnet manifest cannot contain a part of a definition; it was left out.',
      hint: 'Keep the folder as the source.',
    },
    'carnet-renamed': {
      severity: ['warning'],
      what: 'A name cannot be used in Carnet and was changed.',
      hint: 'Rename the definition.',
    },
    'carnet-file-left-out': {
      severity: ['warning'],
      what: 'A file cannot be put into a Carnet manifest as text.',
      hint: 'Keep it next to the manifest.',
    },
    'export-changed': {
      severity: ['warning'],
      what: 'A skill says less, or something different, in the folder it was exported to.',
      hint: 'Write it into the instructions, or keep the folder as the source.',
    },
    'export-left-out': {
      severity: ['warning'],
      what: 'Plain Agent Skills folders cannot contain a part of a definition; it was left out.',
      hint: 'Keep the folder as the source.',
    },
    'export-code-missing': {
      severity: ['warning'],
      what: 'A tool that is defined in code was exported without its code.',
      hint: 'Write a handler next to its `schema.json`.',
    },
    'export-reaches-out': {
      severity: ['warning'],
      what: 'The code of an exported tool imports files outside its folder.',
      hint: 'Copy these files, or bundle them into the handler.',
    },
    'export-not-portable': {
      severity: ['warning'],
      what: 'An exported skill does not follow the Agent Skills specification.',
      hint: 'Correct the problem that the finding names.',
    },
    'log-unfinished-append': {
      severity: ['warning'],
      what: 'The last append to a log was not finished; none of it counts.',
      hint: 'Nothing was acknowledged, so nothing is lost.',
    },
  },
}

/**
 * Every code that a diagnostic may have, by origin. docs/diagnostics.md is generated from this list, and
 * a test compares it with the codes in the source: codes are stable, so a code that is not listed is a
 * mistake.
 */
export const DIAGNOSTIC_GROUPS: readonly DiagnosticGroup[] = [
  SPECIFICATION_CODES,
  FILE_CODES,
  READING_CODES,
  CLIENT_CODES,
  DEFINITION_CODES,
  CATALOG_CODES,
  PROJECT_CODES,
  NATIVE_CODES,
  OTHER_CODES,
]

const LEVELS: ReadonlyMap<string, LintLevel | null> = new Map(
  DIAGNOSTIC_GROUPS.flatMap(({ level, codes }) =>
    Object.keys(codes).map((code) => [code, level] as const),
  ),
)

/**
 * Returns true if lint reports a code at a level. An unlisted code, such as that of a skill defined in code, is
 * reported at the last level.
 */
export function isReported(code: string, level: LintLevel): boolean {
  const listed = LEVELS.get(code)
  const from = listed === undefined ? 'native' : listed
  return from !== null && LINT_LEVELS.indexOf(from) <= LINT_LEVELS.indexOf(level)
}
