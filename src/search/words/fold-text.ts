const ASCII = /^[\0-\x7f]*$/

/** Accents, Arabic and Hebrew vowel signs, the Arabic tatweel: marks that writers may leave out. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g

const MOST_GROWTH = 2

/**
 * Removes differences of spelling that do not make another word: compatibility forms, accents, vowel
 * signs, the seats of hamza, and `ß`, which is `SS` in capitals. Case is kept, because it separates the
 * words of names.
 *
 * The result is at most twice as long as the text; single characters may expand to eighteen.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text
  const folded = text
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
  return folded.slice(0, MOST_GROWTH * text.length)
}

const BETWEEN = /[^\p{L}\p{M}\p{N}]+/gu

const BETWEEN_ASCII = /[^a-z0-9]+/g

/** Characters of a name that are read. */
const LONGEST_NAME = 4_000

/** Removes case and separators, so that `createPage`, `create_page` and `Create page` are equal. */
export function squashName(name: string): string {
  const read = name.slice(0, LONGEST_NAME)
  if (ASCII.test(read)) return read.toLowerCase().replace(BETWEEN_ASCII, '')
  return foldText(read).replace(BETWEEN, '').toLowerCase()
}
