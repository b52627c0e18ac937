const ASCII = /^[\0-\x7f]*$/

/** Accents, Arabic and Hebrew vowel signs, the Arabic tatweel: what writers leave out at will. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g

/**
 * A text with the differences taken out that do not make another word: compatibility forms,
 * accents, vowel signs, the seats of hamza. Case stays, because it parts the words of names.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
}
