import { CLIENT_CODES } from './checks/client-rules.ts'
import { CATALOG_CODES, DEFINITION_CODES } from './codes/definition-codes.ts'
import type { DiagnosticGroup, LintLevel } from './codes/diagnostic-group.ts'
import { NATIVE_CODES, PROJECT_CODES } from './codes/project-codes.ts'
import { FILE_CODES, READING_CODES } from './codes/reading-codes.ts'
import { SPECIFICATION_CODES } from './codes/specification-codes.ts'

/** Findings of other work than reading folders. */
const OTHER_CODES: DiagnosticGroup = {
  title: 'Elsewhere',
  origin: 'Watching, running, manifests, export and logs.',
  level: null,
  codes: {
    'handler-untrusted': {
      severity: ['warning'],
      what: 'A handler was not run: its folder is not trusted. Lint runs none, so it does not say so.',
      hint: 'Read the code, then `loadout trust`, or `--trust` for one run.',
    },
    'project-unreadable': {
      severity: ['error'],
      what: 'A watched project cannot be read now; the last one that could stays.',
      hint: 'Correct what the finding names.',
    },
    'watch-failed': {
      severity: ['warning'],
      what: 'A folder cannot be watched; changes in it are not noticed.',
      hint: 'Restart after changes, or raise the limits of the system.',
    },
    'component-missing': {
      severity: ['warning'],
      what: 'A manifest was built with a component that was not given when it was loaded.',
      hint: 'Give the component, or build again.',
    },
    'component-changed': {
      severity: ['warning'],
      what: 'A component is not the one that the manifest was built with.',
      hint: 'Build the manifest again.',
    },
    'component-added': {
      severity: ['info'],
      what: 'A component was given that the manifest was built without.',
      hint: 'Build again to have it covered by the version.',
    },
    'carnet-lost': {
      severity: ['warning'],
      what: 'Something has no place in a Carnet manifest and was left out of it.',
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
      hint: 'Keep it beside the manifest.',
    },
    'export-changed': {
      severity: ['warning'],
      what: 'A skill says less, or something else, in the folder it was exported to.',
      hint: 'Say it in the instructions, or keep the folder as the source.',
    },
    'export-left-out': {
      severity: ['warning'],
      what: 'Something has no place in plain Agent Skills folders and was left out.',
      hint: 'Keep the folder as the source.',
    },
    'export-code-missing': {
      severity: ['warning'],
      what: 'A tool that is code was exported without it.',
      hint: 'Write a handler beside its `schema.json`.',
    },
    'export-reaches-out': {
      severity: ['warning'],
      what: 'The code of an exported tool imports what lies outside its folder.',
      hint: 'Copy what it imports, or bundle it into the handler.',
    },
    'export-not-portable': {
      severity: ['warning'],
      what: 'An exported skill is not as the Agent Skills specification wants it.',
      hint: 'Correct what the finding names.',
    },
    'log-unfinished-append': {
      severity: ['warning'],
      what: 'The last append to a log was not finished; nothing of it counts.',
      hint: 'Nothing was acknowledged, so nothing is lost.',
    },
  },
}

/**
 * Every code that a diagnostic may have, by where it comes from. docs/diagnostics.md is written
 * from it, and a test holds it against what the source emits: codes are stable, so one that is not
 * here is a mistake.
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
 * The level from which a code is told; null for one that lint leaves out. A code of somebody
 * else's, such as that of a skill made in code, is told at the last level.
 */
export function levelOf(code: string): LintLevel | null {
  const level = LEVELS.get(code)
  return level === undefined ? 'native' : level
}
