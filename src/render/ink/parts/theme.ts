/** The look of components. It never changes what they say. */
export interface Theme {
  /** Draws borders and marks with ASCII only. */
  readonly ascii: boolean
  readonly colour: boolean
  /** True on a light background; dark by default. */
  readonly light?: boolean
}

export const DEFAULT_THEME: Theme = { ascii: false, colour: true }

/** The marks that components draw with. */
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
  /** The place where a request starts to differ from the one before. */
  readonly cut: string
  readonly since: string
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
  cut: '✂',
  since: '±',
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
  cut: '%',
  since: '+/-',
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
 * The mark of an entry that another process appended: a sign, or a word before the event where signs
 * cannot be drawn or are read aloud.
 */
export function otherProcessMark({ ascii }: Theme): {
  readonly sign: string
  readonly word: string
} {
  return ascii ? { sign: '', word: 'other: ' } : { sign: '⇠', word: '' }
}
