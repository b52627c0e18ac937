import { structuredPatch } from 'diff'

/** Lines around a change. */
const CONTEXT = 3

/** Changed lines beyond which a text counts as replaced: bounds the work on huge ones. */
const MOST_EDITS = 2_000

/**
 * How one text became another, as hunks of a unified diff without the names of files. Empty for equal
 * texts.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return ''
  // A text that a parser trimmed has no last line break: no difference, and not worth a word.
  const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n'
  const patch = structuredPatch('', '', before + end, after + end, '', '', {
    context: CONTEXT,
    maxEditLength: MOST_EDITS,
  })
  if (patch === undefined) return replaced(before, after)
  return patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n')
}

function replaced(before: string, after: string): string {
  const [old, now] = [before.split('\n').length, after.split('\n').length]
  return `@@ -1,${old} +1,${now} @@\n(all of it: too much changed to tell line by line)`
}
