/**
 * Makes text from other sources safe for a model to read and safe to print on a terminal.
 *
 * Characters that `findHidden` finds are shown as `<U+202E>`, so people and models see the same.
 * A byte order mark at the start is dropped; CRLF and CR become `\n`. Sanitising twice is the same
 * as sanitising once. Sanitise where text is rendered: hashes cover the original text.
 */
export function sanitiseText(text: string): string {
  const hidden = findHidden(text)
  let shown = ''
  let from = text.startsWith('\uFEFF') ? 1 : 0
  for (const { codePoint, index } of hidden) {
    shown += text.slice(from, index) + visibleMark(codePoint)
    from = index + (codePoint > 0xffff ? 2 : 1)
  }
  shown += text.slice(from)
  return shown.includes('\r') ? shown.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : shown
}

const marks = new Map<number, string>()

/** Returns the visible mark of a character. Marks are cached. */
function visibleMark(codePoint: number): string {
  const known = marks.get(codePoint)
  if (known !== undefined) return known
  const mark = `<U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}>`
  marks.set(codePoint, mark)
  return mark
}

/**
 * Sanitises text into one line, for names, titles and summaries. A line break with the blanks around
 * it becomes one space, a tab becomes a space, and blanks at both ends are removed. Text written
 * after it therefore stays on the same line.
 */
export function sanitiseLine(text: string): string {
  const shown = sanitiseText(text).replaceAll('\t', ' ')
  // Nearly all names are one line.
  if (!shown.includes('\n')) return shown.trim()
  return shown
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/** A character that readers cannot see, or that changes the order of what they see. */
export interface HiddenCharacter {
  readonly codePoint: number
  /** Offset in the text, in UTF-16 code units. */
  readonly index: number
}

/**
 * Controls, lone surrogates, non-characters, and every character that is drawn as nothing.
 * The tag sequence of a known flag matches first, as one piece, so its tags are not examined.
 */
const SUSPECT =
  /\p{RGI_Emoji_Tag_Sequence}|[[\p{Control}\p{Surrogate}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]--[\t\n]]/vy

/** First and last code units of `SUSPECT` and of all pairs, except the carriage return. Most texts have few of them. */
const MAY_HIDE = new Uint8Array(0x10000)
const RANGES = [
  0, 8, 0x0b, 0x0c, 0x0e, 0x1f, 0x7f, 0x9f, 0xad, 0xad, 0x34f, 0x34f, 0x61c, 0x61c, 0x115f, 0x1160,
  0x17b4, 0x17b5, 0x180b, 0x180f, 0x200b, 0x200f, 0x2028, 0x202e, 0x2060, 0x206f, 0x3164, 0x3164,
  0xd800, 0xdfff, 0xfdd0, 0xfdef, 0xfe00, 0xfe0f, 0xfeff, 0xfeff, 0xffa0, 0xffa0, 0xfff0, 0xfffb,
  0xfffe, 0xffff,
]
for (let at = 0; at < RANGES.length; at += 2) {
  MAY_HIDE.fill(1, RANGES[at], (RANGES[at + 1] ?? 0) + 1)
}

const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/v

/** Scripts whose letters are joined or kept apart by U+200D and U+200C. */
const JOINING_SCRIPT =
  /^[[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]&&[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]]$/v

/** Signs after which a joiner may also end a word, as in Sinhala and older Malayalam. */
const VIRAMA = /^[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u17D2]$/v

const IDEOGRAPH = /^\p{Ideographic}$/v

const VARIED = /^[\p{Ideographic}\p{Math}\p{scx=Mymr}\p{scx=Phag}\u3001-\u3002\uFF01-\uFF1F]$/v

const MONGOLIAN = /^[\p{L}&&\p{scx=Mong}]$/v

/**
 * Finds the hidden characters of a text, in order: controls except tab and line breaks, escapes, bidi
 * marks and overrides, zero-width characters, tags, variation selectors and lone surrogates.
 *
 * Characters that have a purpose at their place are not reported: joiners inside emoji and between
 * letters of scripts that need them, selectors after a base that has variants, tags of known flags,
 * fillers inside Korean syllables, and a byte order mark at the start.
 */
export function findHidden(text: string): HiddenCharacter[] {
  const hidden: HiddenCharacter[] = []
  for (let index = 0; index < text.length; index += 1) {
    if (MAY_HIDE[text.charCodeAt(index)] !== 1) continue
    const codePoint = text.codePointAt(index) ?? 0
    SUSPECT.lastIndex = index
    const length = SUSPECT.exec(text)?.[0].length ?? 0
    const end = index + Math.max(length, codePoint > 0xffff ? 2 : 1)
    const isSuspect = length > 0 && codePoint !== 0x1f3f4 && !(codePoint === 0xfeff && index === 0)
    if (isSuspect && !belongs(codePoint, text, index, end)) hidden.push({ codePoint, index })
    index = end - 1
  }
  return hidden
}

/**
 * Escapes the characters in a JSON text that `findHidden` finds, most of which `JSON.stringify` does not escape. A parser
 * reads the same value.
 */
export function escapeHidden(json: string): string {
  let text = ''
  let from = 0
  for (const { codePoint, index } of findHidden(json)) {
    const end = index + (codePoint > 0xffff ? 2 : 1)
    text += json.slice(from, index)
    for (let unit = index; unit < end; unit += 1) {
      text += `\\u${json.charCodeAt(unit).toString(16).padStart(4, '0')}`
    }
    from = end
  }
  return text + json.slice(from)
}

function belongs(codePoint: number, text: string, start: number, end: number): boolean {
  if (codePoint < 0x115f) return false
  if (codePoint === 0x115f) return isBetween(text.charCodeAt(end), 0x1161, 0x11a7)
  if (codePoint === 0x1160) return isBetween(text.charCodeAt(start - 1), 0x1100, 0x115e)
  // Several joiners in a row join nothing, and are common in texts that hide something.
  if (isJoiner(codePoint) && isJoiner(text.charCodeAt(start - 1))) return false
  const before = characterBefore(text, start)
  const after = characterAt(text, end)
  if (codePoint === 0x200d) {
    const drawn = before === '\uFE0F' ? characterBefore(text, start - 1) : before
    return (PICTURE.test(drawn) && PICTURE.test(after)) || joins(before, after)
  }
  if (codePoint === 0x200c) return joins(before, after)
  if (codePoint === 0xfe0e || codePoint === 0xfe0f) {
    return PICTURE.test(before) || (after === '\u20E3' && /^[\d#*]$/v.test(before))
  }
  if (codePoint >= 0xfe00 && codePoint <= 0xfe02) return VARIED.test(before)
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return IDEOGRAPH.test(before)
  if (codePoint >= 0x180b && codePoint <= 0x180d) return MONGOLIAN.test(before)
  return false
}

function isJoiner(codePoint: number): boolean {
  return isBetween(codePoint, 0x200c, 0x200d)
}

function isBetween(codePoint: number, first: number, last: number): boolean {
  return codePoint >= first && codePoint <= last
}

function joins(before: string, after: string): boolean {
  return VIRAMA.test(before) || (JOINING_SCRIPT.test(before) && JOINING_SCRIPT.test(after))
}

function characterAt(text: string, index: number): string {
  const codePoint = text.codePointAt(index)
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint)
}

/** Returns the character that ends at `index`, or `''` at the start. */
function characterBefore(text: string, index: number): string {
  const pair = index >= 2 ? characterAt(text, index - 2) : ''
  return pair.length === 2 ? pair : text.slice(Math.max(0, index - 1), index)
}

/** Quotes a word for a shell: in single quotes when it has other than plain characters. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Quotes a path for a command in a hint: in double quotes, which every shell knows, unless a shell would change it. */
export function quotedPath(path: string): string {
  return /["$`!]|\\(?:\\|\n|$)/.test(path) ? shellWord(path) : `"${path}"`
}
