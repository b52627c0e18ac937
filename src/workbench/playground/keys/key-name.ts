import type { Key } from 'ink'
import { graphemes } from '../../../entries/kit.ts'

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

/** The named keys, as the key table writes them. */
export const KEY_NAMES: readonly string[] = Object.keys(NAMES)

/** Returns true for a stroke as the key table writes it: a letter or a named key, also modified. */
export function isStroke(text: string): boolean {
  const key = text.replace(/^(?:ctrl|alt|shift)\+(?=.)/u, '')
  return KEY_NAMES.includes(key) || typedText(key) !== null
}

/** Formats a stroke for people: `Ctrl-C`, `Shift-Tab`, `PgDn`; a letter is unchanged. */
export function keyName(stroke: string): string {
  const plus = stroke.length > 1 ? stroke.indexOf('+') : -1
  if (plus < 0) return NAMES[stroke] ?? stroke
  const [modifier, key] = [stroke.slice(0, plus), stroke.slice(plus + 1)]
  const capital = modifier.slice(0, 1).toUpperCase() + modifier.slice(1)
  return `${capital}-${NAMES[key] ?? key.toUpperCase()}`
}

/** Formats all strokes of an action. */
export function keyNames(keys: readonly string[]): string {
  return keys.map(keyName).join(' ')
}

/** The fields of Ink's key events with our names, in the order of the search. */
const NAMED: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
  ['escape', 'esc'],
]

const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\r\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
  '\x1b': 'esc',
  ' ': 'space',
}

/**
 * Splits one input event of Ink into single strokes.
 *
 * Keys typed fast arrive joined (`jj`, `/abc` and enter), so text is split into graphemes. A letter
 * right after Esc arrives as Alt and that letter; no action uses Alt, so it is read as the two keys
 * that it usually is.
 */
export function readStrokes(input: string, key: Key): readonly string[] {
  if (key.eventType === 'release') return []
  const named = NAMED.find(([field]) => key[field] === true)?.[1]
  if (named !== undefined) {
    const alt = named !== 'esc' && key.meta ? 'alt+' : ''
    return [`${key.ctrl ? 'ctrl+' : ''}${alt}${key.shift ? 'shift+' : ''}${named}`]
  }
  if (key.ctrl) return input === '' ? [] : [`ctrl+${input === ' ' ? 'space' : input}`]
  const strokes = [...graphemes(input)].flatMap(controlStroke)
  return key.meta && strokes.length > 0 ? ['esc', ...strokes] : strokes
}

/** Returns the text that a stroke types into a text field; null for a key that types nothing. */
export function typedText(stroke: string): string | null {
  if (stroke === 'space') return ' '
  const [first, second] = graphemes(stroke)
  return first !== undefined && second === undefined ? first : null
}

/** Reads a control byte inside text as the key that sends it. */
function controlStroke(letter: string): string[] {
  const known = CONTROLS[letter]
  if (known !== undefined) return [known]
  const code = letter.charCodeAt(0)
  if (code >= 0x20) return [letter]
  return code > 0 && code < 0x1b ? [`ctrl+${String.fromCharCode(code + 0x60)}`] : []
}
