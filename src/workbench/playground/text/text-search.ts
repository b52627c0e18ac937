import type { TextSpan } from '../../../entries/ink-views.ts'
import { identityMemo, sanitiseLine } from '../../../entries/kit.ts'

const hitCache = identityMemo<readonly number[]>()

/** Returns the numbers of the lines that contain a text, ignoring case. */
export function hitsIn(lines: readonly string[], search: string): readonly number[] {
  const wanted = sanitiseLine(search).toLowerCase()
  if (wanted === '') return []
  return hitCache([lines], wanted, () =>
    lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : [])),
  )
}

/** Returns the line of the next hit after a line, or before it, around the end; null without one. */
export function nextHit(
  lines: readonly string[],
  search: string,
  from: number,
  by: 1 | -1,
): number | null {
  const hits = hitsIn(lines, search)
  const next =
    by > 0 ? hits.find((line) => line > from) : hits.findLast((line) => line < Math.max(0, from))
  return next ?? hits.at(by > 0 ? 0 : -1) ?? null
}

/** Returns a line with the searched text in inverse colours. */
export function markHits(line: string, search: string): readonly TextSpan[] {
  const wanted = sanitiseLine(search).toLowerCase()
  const lower = line.toLowerCase()
  // A letter whose lower-case form is longer would shift the marks.
  if (wanted === '' || lower.length !== line.length) return [{ text: line || ' ' }]
  const spans: TextSpan[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    spans.push({ text: line.slice(from, at) })
    from = at + wanted.length
    spans.push({ text: line.slice(at, from), inverse: true })
  }
  return [...spans, { text: line.slice(from) || ' ' }]
}
