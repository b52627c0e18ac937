import { sanitiseText } from '../../kernel/sanitise-text.ts'

/** Text from elsewhere as lines that are safe to draw. */
export function textLines(text: string): string[] {
  return sanitiseText(text).replaceAll('\t', '  ').split('\n')
}
