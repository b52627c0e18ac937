import { sanitiseText } from './sanitise-text.ts'

/**
 * The one-line form of `sanitiseText`, for names, titles and summaries: a line break with the
 * blanks around it is one space, a tab is a space, blanks at both ends go. What is written after
 * it on a line therefore stays on that line.
 */
export function sanitiseLine(text: string): string {
  return sanitiseText(text)
    .replaceAll('\t', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
