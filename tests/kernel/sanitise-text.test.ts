import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findHidden, sanitiseLine, sanitiseText } from '../../src/kernel/sanitise-text.ts'

test.each([
  ['an escape sequence', '\u001B[31mred', '<U+001B>[31mred'],
  ['OSC 52', '\u001B]52;c;aGk=\u0007', '<U+001B>]52;c;aGk=<U+0007>'],
  ['a C1 introducer', '\u009B2J', '<U+009B>2J'],
  ['NUL and DEL', 'a\0b\u007F', 'a<U+0000>b<U+007F>'],
  ['a bidi override', 'exe.\u202Egpj', 'exe.<U+202E>gpj'],
  ['a bidi isolate', '\u2066x\u2069', '<U+2066>x<U+2069>'],
  ['bidi marks', '\u200Ea\u061C', '<U+200E>a<U+061C>'],
  ['a stray zero-width space', 'pay\u200Bpal', 'pay<U+200B>pal'],
  ['a joiner between Latin letters', 'a\u200Db', 'a<U+200D>b'],
  ['a soft hyphen', 'co\u00ADop', 'co<U+00AD>op'],
  ['a word hidden in tags', 'x\u{E0068}\u{E0069}', 'x<U+E0068><U+E0069>'],
  ['tags on a flag nobody knows', '🏴\u{E0078}\u{E007F}', '🏴<U+E0078><U+E007F>'],
  ['selectors that carry data', 'a\u{E0150}\uFE05', 'a<U+E0150><U+FE05>'],
  ['a second selector', '❤\uFE0F\uFE0F', '❤\uFE0F<U+FE0F>'],
  ['a lone high surrogate', 'a\uD83D', 'a<U+D83D>'],
  ['a lone low surrogate', '\uDE00a', '<U+DE00>a'],
  ['a line separator', 'a\u2028b', 'a<U+2028>b'],
  ['an empty letter', 'a\u3164b', 'a<U+3164>b'],
  ['a byte order mark inside', 'a\uFEFF', 'a<U+FEFF>'],
  ['the second of two byte order marks', '\uFEFF\uFEFFa', '<U+FEFF>a'],
])('%s is shown', (_, text, shown) => {
  expect(sanitiseText(text)).toBe(shown)
})

test.each([
  ['tabs and line breaks', 'a\tb\nc'],
  ['a family', '👨\u200D👩\u200D👧'],
  ['a coloured family member', '👩🏽\u200D💻'],
  ['a rainbow flag', '🏳\uFE0F\u200D🌈'],
  ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['a country flag', '🇰🇷'],
  ['a keycap', '1\uFE0F\u20E3'],
  ['a heart as text', '❤\uFE0E'],
  ['a Persian word with a non-joiner', 'می\u200Cخواهم'],
  ['a Hindi conjunct with a joiner', 'क्\u200Dष'],
  ['a Sinhala word that ends in a joiner', 'ක්\u200D'],
  ['a variant of an ideograph', '葛\u{E0100}'],
  ['an accent in two code points', 'e\u0301'],
  ['Korean written in parts', '\u1112\u1161\u11AB'],
  ['private use, which fonts draw', '\uE0B0'],
])('%s stays', (_, text) => {
  expect(sanitiseText(text)).toBe(text)
  expect(findHidden(text)).toEqual([])
})

test('a byte order mark at the start goes, and every kind of line break is \\n', () => {
  expect(sanitiseText('\uFEFFa\r\nb\rc\n')).toBe('a\nb\nc\n')
})

test('hidden characters are found at their places', () => {
  expect(findHidden('\uFEFF😀\u200Bx\r\n\u{E0041}')).toEqual([
    { codePoint: 0x200b, index: 3 },
    { codePoint: 0xe0041, index: 7 },
  ])
})

test.each([
  ['  a title\n## SKILL TOOLS: x  ', 'a title ## SKILL TOOLS: x'],
  ['a\r\n\r\n\tb', 'a b'],
  ['a\tb', 'a b'],
  ['\n', ''],
  ['a\u2028b', 'a<U+2028>b'],
])('%j on one line is %j', (text, line) => {
  expect(sanitiseLine(text)).toBe(line)
})

const parts = [
  ['\u001B[2J', '\u202E', '\u200D', '\u200C', '\uFE0F', '\uFE0E', '\uFEFF', '\r', '\r\n', '\n'],
  ['\uD83D', '\uDE00', '👩', '❤', '🏴', '\u{E0067}', '\u{E007F}', '\u{E0100}', '葛', '1', '\u20E3'],
  ['ی', 'क', '\u094D', '\u115F', '\u1160', '\u1161', '\u180B', 'ᠠ', '\t', 'a', ' ', '\u0301'],
].flat()
const wild = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join('')),
  fc.string({ unit: 'binary' }),
)

test('sanitising twice is the same as once, and leaves no hidden character', () => {
  fc.assert(
    fc.property(wild, (text) => {
      const once = sanitiseText(text)
      expect(findHidden(once)).toEqual([])
      expect(once).not.toContain('\r')
      expect(once.isWellFormed()).toBe(true)
      expect(sanitiseText(once)).toBe(once)
    }),
    { numRuns: 2_000 },
  )
})

test('the one-line form has no line break and no tab, and is stable too', () => {
  fc.assert(
    fc.property(wild, (text) => {
      const line = sanitiseLine(text)
      expect(line).not.toMatch(/[\n\r\t]/v)
      expect(sanitiseLine(line)).toBe(line)
    }),
    { numRuns: 2_000 },
  )
})

test('visible ASCII text stays unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(sanitiseText(text)).toBe(text)
    }),
  )
})

test('every character that is drawn as nothing is found, alone and in a text', () => {
  const drawnAsNothing =
    /[[\p{Control}\p{Surrogate}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]--[\t\n\r]]/v
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint)
    const found = findHidden(`ab${character}`).map((one) => one.codePoint)
    if (found.length === (drawnAsNothing.test(character) ? 1 : 0)) continue
    expect({ codePoint, found }).toEqual({ codePoint, found: [codePoint] })
  }
})
