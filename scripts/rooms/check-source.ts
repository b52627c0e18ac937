import { DOORS, mayPassDoor, SCREEN_DOOR } from './door.ts'
import { findImpureUses } from './find-impure-uses.ts'
import type { ImportFact, Module } from './read-module.ts'
import {
  ENTRIES,
  findBuilding,
  floorOf,
  floorStep,
  isPure,
  lineOf,
  packageName,
  resolveImport,
  roomOf,
} from './room-of.ts'

/** Names of files that collect unrelated things, and `index`, which only re-exports. */
const REFUSED_FILE_NAMES = new Set(['common', 'helpers', 'index', 'misc', 'utils', 'util'])

/** Checks one file of `src` against the table of rooms and floors. */
export function checkSource(module: Module): readonly Violation[] {
  const { path } = module
  const findings = [
    ...nameFindings(path),
    ...(module.syntaxError === undefined ? [] : [finding(0, 'syntax', module.syntaxError)]),
    ...module.imports.flatMap((fact) => checkImport(path, fact) ?? []),
    ...(roomOf(path) === ENTRIES ? [] : reExportFindings(module)),
    ...(isPure(path) ? useFindings(module) : []),
  ]
  return findings.map(({ at, rule, message }) => ({
    file: path,
    line: module.lineAt(at),
    rule,
    message,
  }))
}

function nameFindings(path: string): readonly Finding[] {
  const room = roomOf(path)
  if (room === ENTRIES) return []
  if (lineOf(room) === undefined) {
    return [
      finding(
        0,
        'unknown-room',
        `"${room}" is no room. Put the file into the room of its concept.`,
      ),
    ]
  }
  const stem = path.split('/').at(-1)?.split('.')[0] ?? ''
  if (!REFUSED_FILE_NAMES.has(stem)) return []
  return [
    finding(0, 'file-name', `"${stem}" names no concept. Name the file after one of its exports.`),
  ]
}

function reExportFindings(module: Module): readonly Finding[] {
  return module.exports
    .filter(({ passedOn }) => passedOn)
    .map(({ name, at }) =>
      finding(at, 're-export', `"${name}" is re-exported. Only src/entries re-exports.`),
    )
}

function useFindings(module: Module): readonly Finding[] {
  return findImpureUses(module.program).map(({ what, at }) =>
    finding(
      at,
      'impure-use',
      `${what} is not allowed in a pure room. Take the value as an argument.`,
    ),
  )
}

/** The packages that a pure file may import. */
const PURE_PACKAGES = new Set([
  'diff',
  'fastest-levenshtein',
  'semver',
  'stemmer',
  'string-width',
  'wrap-ansi',
  'yaml',
  'zod',
  'zod-to-json-schema',
])

/** Hashing and comparing; the rest of `node:crypto` is random. */
const PURE_CRYPTO = new Set(['createHash', 'createHmac', 'hash', 'timingSafeEqual'])

/** Returns the violation of one import of a file of `src`, if any. */
function checkImport(from: string, { specifier, names, at }: ImportFact): Finding | undefined {
  const target = resolveImport(from, specifier)
  if (target === undefined) return packageFinding(from, specifier, names, at)
  if (!target.startsWith('src/')) {
    return finding(at, 'outside-src', `${target} is not in src and will not be in the package.`)
  }
  const here = roomOf(from)
  const there = roomOf(target)
  if (here === ENTRIES) return undefined
  if (there === ENTRIES) {
    const draws = here === 'workbench/playground' || from.endsWith('.tsx')
    const isScreen = draws || target !== SCREEN_DOOR
    if (DOORS.has(target) && findBuilding(here) !== 'core' && isScreen) return undefined
    return finding(at, 'imports-entries', `Import from its own room, not from ${target}.`)
  }
  const past = names.filter((name) => !mayPassDoor(from, target, name))
  if (past.length > 0) {
    return finding(
      at,
      'past-the-door',
      `${findBuilding(here)} may not import ${past.join(', ')} by a path into the core. Import by an entry, such as src/entries/kit.ts, or find another way.`,
    )
  }
  const lineHere = lineOf(here) ?? 0
  const lineThere = lineOf(there) ?? 0
  if (lineThere > lineHere) {
    return finding(
      at,
      'later-room',
      `${here} (line ${lineHere}) may not import ${target} (line ${lineThere}). Take the value as an argument.`,
    )
  }
  if (lineThere === lineHere && here !== there) {
    return finding(
      at,
      'neighbour-room',
      `${here} and ${there} are neighbours and may not import each other.`,
    )
  }
  if (isPure(from) && !isPure(target)) {
    return finding(at, 'impure-import', `${from} is pure and ${target} is not.`)
  }
  return checkFloors(from, target, at)
}

/** A part that has no floor is reported once for its folder, by `checkHouse`. */
function checkFloors(from: string, target: string, at: number): Finding | undefined {
  const step = floorStep(from, target)
  if (step === undefined) return undefined
  const { folder } = step
  const here = floorOf(folder, step.from)
  const there = floorOf(folder, step.to)
  if (here === undefined || there === undefined || there < here) return undefined
  if (there === here) {
    return finding(
      at,
      'neighbour-floor',
      `${step.from} and ${step.to} are on the same floor of ${folder} and may not import each other.`,
    )
  }
  return finding(
    at,
    'later-floor',
    `${step.from} of ${folder} is below ${step.to} and may not import ${target}, a type included. Move the shared part down.`,
  )
}

function packageFinding(
  from: string,
  specifier: string,
  names: readonly string[],
  at: number,
): Finding | undefined {
  if (packageName(specifier) === 'loadout') {
    return finding(at, 'imports-entries', 'src does not import itself by its public name.')
  }
  if (!isPure(from) || PURE_PACKAGES.has(packageName(specifier))) return undefined
  if (specifier === 'node:crypto' && names.every((name) => PURE_CRYPTO.has(name))) return undefined
  const what = specifier === '' ? 'a computed path' : specifier
  return finding(at, 'impure-import', `${from} is pure and may not import ${what}.`)
}

/** A violation before its offset is turned into a line. */
interface Finding {
  readonly at: number
  readonly rule: Rule
  readonly message: string
}

function finding(at: number, rule: Rule, message: string): Finding {
  return { at, rule, message }
}

/** One place where a file breaks a rule of the house. */
export interface Violation {
  /** Relative to the project, with forward slashes. */
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly rule: Rule
  readonly message: string
}

export type Rule =
  | 'unknown-room'
  | 'later-room'
  | 'neighbour-room'
  | 'later-floor'
  | 'past-the-door'
  | 'neighbour-floor'
  | 'unknown-floor'
  | 'folder-size'
  | 'loose-files'
  | 'small-file'
  | 'named-after-export'
  | 'duplicate-export'
  | 'imports-entries'
  | 'outside-src'
  | 'impure-import'
  | 'impure-use'
  | 're-export'
  | 'file-name'
  | 'cycle'
  | 'private-import'
  | 'syntax'
