import type { Key } from 'ink'
import { graphemes } from '../../kernel/display-width.ts'

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
  return KEY_NAMES.includes(key) || typedText(key) !== null
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

/** Named keys as Ink tells them, in the order they are looked for. */
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
 * The single strokes of one input event of Ink, in order.
 *
 * Keys typed fast arrive joined (`jj`, `/abc` and enter), so text is taken apart letter by letter,
 * as its readers count them. A letter right after Esc comes as Alt and that letter; nothing here is
 * on Alt, so it is taken for the two keys it mostly is.
 */
export function readStrokes(input: string, key: Key): readonly string[] {
  if (key.eventType === 'release') return []
  const named = NAMED.find(([field]) => key[field] === true)?.[1]
  if (named !== undefined) return [withModifiers(named, key)]
  if (key.ctrl) return input === '' ? [] : [`ctrl+${input === ' ' ? 'space' : input}`]
  const strokes = [...graphemes(input)].flatMap(strokeOf)
  return key.meta && strokes.length > 0 ? ['esc', ...strokes] : strokes
}

/** What a stroke types into a text field; null for a key that types nothing. */
export function typedText(stroke: string): string | null {
  if (stroke === 'space') return ' '
  const [first, second] = graphemes(stroke)
  return first !== undefined && second === undefined ? first : null
}

function withModifiers(name: string, { ctrl, shift, meta }: Key): string {
  const isPlain = name === 'esc' || !meta
  return `${ctrl ? 'ctrl+' : ''}${isPlain ? '' : 'alt+'}${shift ? 'shift+' : ''}${name}`
}

/** A control byte that came inside of text is the key that sends it. */
function strokeOf(letter: string): string[] {
  const known = CONTROLS[letter]
  if (known !== undefined) return [known]
  const code = letter.charCodeAt(0)
  if (code >= 0x20) return [letter]
  return code > 0 && code < 0x1b ? [`ctrl+${String.fromCharCode(code + 0x60)}`] : []
}
