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
