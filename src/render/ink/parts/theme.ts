/** How components draw: nothing in it changes what they say. */
export interface Theme {
  /** Borders and marks of ASCII only. */
  readonly ascii: boolean
  readonly colour: boolean
}

export const DEFAULT_THEME: Theme = { ascii: false, colour: true }

/** The marks components draw with; those of ASCII say the same. */
export interface Glyphs {
  readonly cursor: string
  readonly active: string
  readonly inactive: string
  readonly pending: string
  readonly unusable: string
  readonly above: string
  readonly below: string
  readonly folded: string
  readonly open: string
  readonly ellipsis: string
  readonly arrow: string
  readonly bar: string
  readonly barRest: string
  readonly now: string
  readonly hit: string
  readonly line: string
  readonly topLeft: string
  readonly topRight: string
  readonly bottomLeft: string
  readonly bottomRight: string
  readonly side: string
}

const UNICODE: Glyphs = {
  cursor: '❯',
  active: '●',
  inactive: '○',
  pending: '◐',
  unusable: '✗',
  above: '▲',
  below: '▼',
  folded: '▸',
  open: '▾',
  ellipsis: '…',
  arrow: '→',
  bar: '█',
  barRest: '░',
  now: '◆',
  hit: '•',
  line: '─',
  topLeft: '╭',
  topRight: '╮',
  bottomLeft: '╰',
  bottomRight: '╯',
  side: '│',
}

const ASCII: Glyphs = {
  cursor: '>',
  active: '*',
  inactive: 'o',
  pending: '~',
  unusable: 'x',
  above: '^',
  below: 'v',
  folded: '+',
  open: '-',
  ellipsis: '~',
  arrow: '->',
  bar: '#',
  barRest: '.',
  now: '=',
  hit: '*',
  line: '-',
  topLeft: '+',
  topRight: '+',
  bottomLeft: '+',
  bottomRight: '+',
  side: '|',
}

export function glyphsOf({ ascii }: Theme): Glyphs {
  return ascii ? ASCII : UNICODE
}

/**
 * How an entry that another process appended is told apart: by a sign, or by a word before what
 * happened where there are no signs, or where they are read aloud.
 */
export function otherProcessMark({ ascii }: Theme): {
  readonly sign: string
  readonly word: string
} {
  return ascii ? { sign: '', word: 'other: ' } : { sign: '⇠', word: '' }
}
