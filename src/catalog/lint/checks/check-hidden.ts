import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { findHidden } from '../../../kernel/find-hidden.ts'
import { Findings, type Place } from '../../../skills/parse/findings.ts'

/** Different characters told of one text. */
const MOST_TOLD = 5

/**
 * Characters of a text that a reader does not see and a model does, each kind once with where it
 * stands first. `place` is where the text begins, or stands as a whole when it is no file.
 */
export function checkHidden(
  file: string,
  text: string,
  what = 'text',
  place?: Place,
): readonly Diagnostic[] {
  const kinds = Map.groupBy(findHidden(text), ({ codePoint }) => codePoint)
  const findings = new Findings(file)
  for (const [codePoint, [first, ...more]] of [...kinds].slice(0, MOST_TOLD)) {
    if (first === undefined) continue
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
    const times = more.length === 0 ? '' : `, ${more.length + 1} times`
    findings.add(
      'warning',
      'hidden-character',
      `The ${what} holds the hidden character ${name}${times}; people do not see what a model reads.`,
      'Remove it. It is shown as a mark wherever this project prints it.',
      place ?? placeAt(text, first.index),
    )
  }
  return findings.list
}

function placeAt(text: string, index: number): Place {
  const lines = text.slice(0, index).split(/\r\n?|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
