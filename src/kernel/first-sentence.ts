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
    if (endsSentence(line, at)) return cutAfterWord(line.slice(0, at + 1), LONGEST)
    if (at > LONGEST) break
  }
  return cutAfterWord(line, LONGEST)
}

/** Returns the sentences of a line, by the same rules, in their order and with their full length. */
export function splitSentences(line: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (let at = 0; at < line.length; at += 1) {
    if (!endsSentence(line, at) && at < line.length - 1) continue
    const sentence = line.slice(start, at + 1).trim()
    if (sentence !== '') sentences.push(sentence)
    start = at + 1
  }
  return sentences
}

function endsSentence(line: string, at: number): boolean {
  const character = line.charAt(at)
  if (WIDE_END.includes(character)) return true
  if (!LATIN_END.includes(character)) return false
  const next = line.charAt(at + 2)
  return at + 1 === line.length || (line.charAt(at + 1) === ' ' && next === next.toUpperCase())
}

/** Returns a text with at most `longest` characters. A longer one is cut after a word and ends in `…`. */
export function cutAfterWord(text: string, longest: number): string {
  if (text.length <= longest) return text
  const word = text.slice(0, longest).lastIndexOf(' ')
  const cut = text.slice(0, word > longest / 2 ? word : longest - 1)
  return `${cut.replace(/[\uD800-\uDBFF]$/u, '')}…`
}
