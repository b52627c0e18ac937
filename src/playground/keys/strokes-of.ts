import type { Key } from 'ink'
import { graphemes } from '../../kernel/graphemes.ts'

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
export function strokesOf(input: string, key: Key): readonly string[] {
  if (key.eventType === 'release') return []
  const named = NAMED.find(([field]) => key[field] === true)?.[1]
  if (named !== undefined) return [withModifiers(named, key)]
  if (key.ctrl) return input === '' ? [] : [`ctrl+${input === ' ' ? 'space' : input}`]
  const strokes = [...graphemes(input)].flatMap(strokeOf)
  return key.meta && strokes.length > 0 ? ['esc', ...strokes] : strokes
}

/** What a stroke types into a text field; null for a key that types nothing. */
export function typedBy(stroke: string): string | null {
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
