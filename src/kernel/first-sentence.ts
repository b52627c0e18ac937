/** Characters of the longest summary. */
const LONGEST = 200

const LATIN_END = '.!?'
const WIDE_END = '。！？'

/**
 * Returns the first sentence of a text, on one line and with at most 200 characters. A longer
 * sentence is cut after a word and ends in `…`.
 *
 * A sentence ends at `.`, `!` or `?` before a space, unless a small letter follows (as in "e.g. a"),
 * at the wide forms of these signs, or at an empty line. `Intl.Segmenter` is not used: its result
 * depends on the Node version, and summaries are hashed.
 */
export function firstSentence(text: string): string {
  const [paragraph = ''] = text.trim().split(/\r?\n[ \t]*\r?\n/u, 1)
  const line = paragraph.split(/\s+/u).join(' ').trim()
  for (let at = 0; at < line.length; at += 1) {
    if (endsSentence(line, at)) return shorten(line.slice(0, at + 1))
    if (at > LONGEST) break
  }
  return shorten(line)
}

function endsSentence(line: string, at: number): boolean {
  const character = line.charAt(at)
  if (WIDE_END.includes(character)) return true
  if (!LATIN_END.includes(character)) return false
  const next = line.charAt(at + 2)
  return at + 1 === line.length || (line.charAt(at + 1) === ' ' && !isSmallLetter(next))
}

function isSmallLetter(character: string): boolean {
  return character !== character.toUpperCase()
}

function shorten(sentence: string): string {
  if (sentence.length <= LONGEST) return sentence
  const word = sentence.slice(0, LONGEST).lastIndexOf(' ')
  const cut = sentence.slice(0, word > LONGEST / 2 ? word : LONGEST - 1)
  return `${cut.replace(/[\uD800-\uDBFF]$/u, '')}…`
}
