import type { Explanation } from '../../engine/explain/explanation.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'

/** Text from elsewhere as lines that are safe to draw. */
export function textLines(text: string): string[] {
  return sanitiseText(text).replaceAll('\t', '  ').split('\n')
}

/** A value as JSON for people, line by line: hidden characters are shown. */
export function jsonLines(value: unknown): readonly string[] {
  return sanitiseText(jsonOf(value)).split('\n')
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? String(value)
  } catch (error) {
    return `This cannot be written as JSON: ${thrownMessage(error)}`
  }
}

/** Why something stands as it does, entry by entry, and what would change it. */
export function reasonLines({ because, fix }: Pick<Explanation, 'because' | 'fix'>): string[] {
  return [
    ...because.flatMap(({ seq, text }) => textLines(`#${seq} ${text}`)),
    ...(fix === '' ? [] : textLines(`To change it: ${fix}`)),
  ]
}
