import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import { wrapLines } from '../../prompt/forms/wrap-lines.ts'

/** Texts kept at most: those of the sections of a few prompts. */
const MOST_KEPT = 256

const kept = new Map<number, Map<string, readonly string[]>>()

/**
 * Text from anywhere as lines of at most so many columns, safe to draw. Folding a section or
 * searching wraps nothing anew, and a prompt that changed only what changed.
 */
export function wrappedText(text: string, columns: number): readonly string[] {
  const known = kept.get(columns)?.get(text)
  if (known !== undefined) return known
  const lines = wrapLines(sanitiseText(text).trimEnd(), columns)
  const texts = kept.get(columns) ?? new Map<string, readonly string[]>()
  if (texts.size >= MOST_KEPT) texts.clear()
  texts.set(text, lines)
  // After the screen was resized, lines of the width before are of no use.
  if (!kept.has(columns) && kept.size >= 4) kept.clear()
  kept.set(columns, texts)
  return lines
}
