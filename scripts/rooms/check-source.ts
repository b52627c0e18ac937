import { checkImport } from './check-import.ts'
import { finding, type Finding } from './finding.ts'
import { findImpureUses } from './find-impure-uses.ts'
import type { Module } from './read-module.ts'
import { ENTRIES, isPure, lineOf, roomOf } from './room-table.ts'
import type { Violation } from './violation.ts'

/** Names that gather unrelated things, and `index`, which only re-exports. */
const REFUSED_FILE_NAMES = new Set(['common', 'helpers', 'index', 'misc', 'utils', 'util'])

/** Hold one file of `src` against the room table. */
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
      finding(0, 'unknown-room', `"${room}" is no room. Put the file where its idea belongs.`),
    ]
  }
  const stem = path.split('/').at(-1)?.split('.')[0] ?? ''
  if (!REFUSED_FILE_NAMES.has(stem)) return []
  return [finding(0, 'file-name', `"${stem}" names no idea. Name the file after what it exports.`)]
}

function reExportFindings(module: Module): readonly Finding[] {
  return module.exports
    .filter(({ passedOn }) => passedOn)
    .map(({ name, at }) =>
      finding(at, 're-export', `"${name}" is passed on. Only src/entries re-exports.`),
    )
}

function useFindings(module: Module): readonly Finding[] {
  return findImpureUses(module.program).map(({ what, at }) =>
    finding(
      at,
      'impure-use',
      `${what} has no place in a pure room. Take the value as an argument.`,
    ),
  )
}
