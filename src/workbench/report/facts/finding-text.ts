import type { Diagnostic } from '../../../entries/index.ts'
import { filePlace, placeText } from '../../../entries/kit.ts'

/** Returns what JSON has of a finding: every key, with null for each part of its place that is unknown. */
export function findingValue(finding: Diagnostic) {
  const { code, severity, message, hint, file = null, line = null, column = null } = finding
  return { code, severity, message, hint, file, line, column }
}

/** Writes a finding on one line, with what to do and its place. */
export function findingText({ severity, message, hint, ...at }: Diagnostic): string {
  const place = filePlace(at)
  return `${severity}: ${message} ${hint}${place === undefined ? '' : ` (${placeText(place)})`}`
}

/** Shortens paths to their last parts, as many as each needs to differ from the others: `mail/SKILL.md`. */
export function shortestPaths(paths: Iterable<string>): ReadonlyMap<string, string> {
  const all = new Map([...paths].map((path) => [path, path.split(/[\\/]/)]))
  const count = new Map<string, number>()
  const ends = (parts: readonly string[]) => parts.map((_, at) => parts.slice(-1 - at).join('/'))
  for (const end of [...all.values()].flatMap(ends)) count.set(end, (count.get(end) ?? 0) + 1)
  return new Map(
    [...all].map(([path, parts]) => [
      path,
      ends(parts).find((end) => count.get(end) === 1) ?? path,
    ]),
  )
}
