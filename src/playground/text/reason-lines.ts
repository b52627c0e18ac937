import type { Explanation } from '../../engine/explain/explain-tool.ts'
import { textLines } from './text-lines.ts'

/** Why something stands as it does, entry by entry, and what would change it. */
export function reasonLines({ because, fix }: Pick<Explanation, 'because' | 'fix'>): string[] {
  return [
    ...because.flatMap(({ seq, text }) => textLines(`#${seq} ${text}`)),
    ...(fix === '' ? [] : textLines(`To change it: ${fix}`)),
  ]
}
