const ASCII = /^[\0-\x7f]*$/

/** Accents, Arabic and Hebrew vowel signs, the Arabic tatweel: what writers leave out at will. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g

const MOST_GROWTH = 2

/**
 * A text with the differences taken out that do not make another word: compatibility forms,
 * accents, vowel signs, the seats of hamza, and `ß`, which capitals write as `SS`. Case stays, because
 * it parts the words of names.
 *
 * At most twice as long as the text: there are characters that stand for eighteen.
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
