import type { Theme } from './theme.ts'

/**
 * How an entry that another process appended is told apart: by a sign, or by a word before what
 * happened where there are no signs, or where they are read aloud.
 */
export function foreignMark({ ascii }: Theme): { readonly sign: string; readonly word: string } {
  return ascii ? { sign: '', word: 'other: ' } : { sign: '⇠', word: '' }
}
