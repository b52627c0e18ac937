/** Code units that are split at a time. */
const PIECE = 256

const segmenter = new Intl.Segmenter()

/**
 * The letters of a text as its readers count them: an accent belongs to its letter, a family is
 * one emoji. Splits piece by piece, because the splitter of the platform looks back to the start
 * of a run of flags, and takes seconds for a long one.
 */
export function* graphemes(text: string): Generator<string, void> {
  let from = 0
  while (from < text.length) {
    const end = from + PIECE - (isFirstHalf(text, from + PIECE - 1) ? 1 : 0)
    const found = [...segmenter.segment(text.slice(from, end))]
    // The last one may go on behind the piece.
    if (end < text.length && found.length > 1) found.pop()
    for (const { segment } of found) yield segment
    from += found.reduce((sum, { segment }) => sum + segment.length, 0)
  }
}

function isFirstHalf(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xd800 && unit <= 0xdbff
}
