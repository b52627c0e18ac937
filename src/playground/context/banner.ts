import type { ToolDifference } from '../../engine/standing/tool-difference.ts'

/** What the last change came to; gone with the next key. */
export interface Banner {
  readonly tone: 'done' | 'refused' | 'note'
  readonly text: string
  readonly difference: ToolDifference | null
  readonly tokens: { readonly before: number; readonly after: number } | null
  /** Share of the instructions a provider's cache keeps, 0 to 1; null when nothing was there before. */
  readonly prefixKept: number | null
}

/** A banner of words alone. */
export function note(tone: Banner['tone'], text: string): Banner {
  return { tone, text, difference: null, tokens: null, prefixKept: null }
}
