/** The pieces of a text: a start, a piece that is repeated, and an end that matches nothing. */
interface Recipe {
  readonly start?: string
  readonly piece: string
  readonly end?: string
}

/** Pieces on which a careless pattern or loop reads the same text again and again. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  letters: { piece: 'a', end: '!' },
  'upper case': { piece: 'ABC ' },
  spaces: { start: 'a', piece: ' ', end: 'a' },
  'blanks of all kinds': { start: 'a', piece: ' \t\u00A0\u3000', end: 'a' },
  'ends of line': { start: 'a', piece: '\n', end: 'a' },
  'ends of line after spaces': { start: 'a', piece: ' \n\t', end: 'a' },
  'carriage returns': { start: 'a', piece: '\r\r\n', end: 'a' },
  'open braces': { piece: '{{' },
  'open variables': { piece: '{{ a ' },
  'a variable of blanks': { start: '{{', piece: ' ', end: 'a' },
  'a variable of letters': { start: '{{ ', piece: 'a', end: ' }' },
  'many variables': { piece: '{{ NAME }} ' },
  backticks: { start: 'a', piece: '`', end: 'a' },
  'growing fences': { piece: '```\n~~~~ `\n' },
  'nested quotes': { piece: '> * + ', end: '`' },
  'half comments': { piece: '<!-' },
  'open comments': { piece: '<!-- <pre ' },
  headings: { piece: '# **available tools' },
  joiners: { piece: '\u200D' },
  'joined emoji': { piece: '👩\u200D' },
  'half flags': { piece: '🏴\u{E0067}\u{E0062}' },
  'one endless flag': { start: '🏴', piece: '\u{E0067}' },
  'flags of letters': { piece: '🇦' },
  'combining marks': { start: 'e', piece: '\u0301' },
  'half characters': { piece: '\uD83C' },
  fillers: { piece: '\u1160\u115F' },
  'wide letters': { piece: '漢字' },
  'letters of other forms': { piece: 'ﬁİ' },
  hyphens: { start: 'a', piece: '-', end: '!' },
  'letters and hyphens': { piece: 'a-', end: '!' },
  sentences: { piece: 'e.g. a' },
  'full stops': { piece: '. ' },
  'front matter fences': { start: '---\n', piece: '--- a\n' },
  'unquoted colons': { start: '---\n', piece: 'a: b: c\n' },
  'deep indentation': { start: '---\n', piece: ' a:\t- b: c\n\n' },
  'open lists': { start: '---\na: ', piece: '[' },
  aliases: { start: '---\n', piece: '- &a [*a]\n' },
  parentheses: { piece: 'Bash(a,' },
  stars: { piece: '*a', end: 'b' },
  'version ranges': { start: 'a@', piece: '1.x || >=' },
  'digits of a version': { start: 'a@', piece: '9', end: 'x' },
  'steps up': { piece: '../' },
  backslashes: { piece: '\\' },
  'escapes of a pointer': { start: '#/', piece: '~1%20' },
  'escape sequences': { piece: '\u001B[31m' },
}

/** Returns texts of about that many UTF-16 code units, by their pieces. */
export function hostileTexts(size: number): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(RECIPES).map(([name, { start = '', piece, end = '' }]) => {
      const times = Math.ceil((size - start.length - end.length) / piece.length)
      return [name, start + piece.repeat(times) + end]
    }),
  )
}
