import type { Findings, Place } from './findings.ts'
import { jsonKeys } from './json-keys.ts'

/** Keys given twice that are told of one file. */
const MOST_TOLD = 5

/** An object read from JSON text, with where each of its own keys stands. */
interface ParsedJson {
  readonly value: Readonly<Record<string, unknown>>
  readonly places: ReadonlyMap<string, Place>
}

/**
 * Read a JSON object; null, and an error among the findings, when the text is none. With `values` no
 * places are looked for and keys given twice are not noticed: for large files of a machine.
 */
export function parseJson(
  source: string,
  findings: Findings,
  look: 'places' | 'values' = 'places',
): ParsedJson | null {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : 'unreadable'
    findings.add(
      'error',
      'json-invalid',
      `Not valid JSON: ${message}.`,
      'Correct the text; comments and trailing commas are not JSON.',
      placeOf(text, message),
    )
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    findings.add(
      'error',
      'json-invalid',
      'The file holds no JSON object.',
      'Put the fields between { and }.',
      { line: 1, column: 1 },
    )
    return null
  }
  if (look === 'values') return { value: value as Record<string, unknown>, places: new Map() }
  const { places, repeated } = jsonKeys(text)
  for (const { key, place, firstLine } of repeated.slice(0, MOST_TOLD)) {
    findings.add(
      'error',
      'duplicate-key',
      `The key "${key}" is given twice.`,
      `Keep one of the two; the first is on line ${firstLine}.`,
      place,
    )
  }
  return findings.failed ? null : { value: value as Record<string, unknown>, places }
}

/** The place that V8 gives as an offset; the end of the text when it gives none. */
function placeOf(text: string, message: string): Place {
  const [, position] = /position (\d+)/.exec(message) ?? []
  const before = text.slice(0, position === undefined ? text.length : Number(position))
  const lines = before.split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
