import { typedBy } from './strokes-of.ts'

const NAMES: Readonly<Record<string, string>> = {
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  home: 'Home',
  end: 'End',
  enter: 'Enter',
  esc: 'Esc',
  space: 'Space',
  tab: 'Tab',
  backspace: 'Backspace',
  delete: 'Delete',
}

/** The strokes that have a name, as the key table writes them. */
export const KEY_NAMES: readonly string[] = Object.keys(NAMES)

/** Whether a text is a stroke as the key table writes it: a letter or a named key, also modified. */
export function isStroke(text: string): boolean {
  const key = text.replace(/^(?:ctrl|alt|shift)\+(?=.)/u, '')
  return KEY_NAMES.includes(key) || typedBy(key) !== null
}

/** A stroke as people write it: `Ctrl-C`, `Shift-Tab`, `PgDn`; a letter stays as it is. */
export function keyName(stroke: string): string {
  const plus = stroke.length > 1 ? stroke.indexOf('+') : -1
  if (plus < 0) return NAMES[stroke] ?? stroke
  const [modifier, key] = [stroke.slice(0, plus), stroke.slice(plus + 1)]
  return `${capital(modifier)}-${NAMES[key] ?? key.toUpperCase()}`
}

/** All strokes of an action, the first one first. */
export function keyNames(keys: readonly string[]): string {
  return keys.map(keyName).join(' ')
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
