import type { Explanation } from '../../engine/explain/explain.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'

/** Text from elsewhere as lines that are safe to draw. */
export function textLines(text: string): string[] {
  return sanitiseText(text).replaceAll('\t', '  ').split('\n')
}

/** Why something stands as it does, entry by entry, and what would change it. */
export function reasonLines({ because, fix }: Pick<Explanation, 'because' | 'fix'>): string[] {
  return [
    ...because.flatMap(({ seq, text }) => textLines(`#${seq} ${text}`)),
    ...(fix === '' ? [] : textLines(`To change it: ${fix}`)),
  ]
}
