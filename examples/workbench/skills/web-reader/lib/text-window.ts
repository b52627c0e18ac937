/** Part of a text, and where to go on reading it. */
export interface TextWindow {
  readonly text: string
  /** Characters (UTF-16 units) of the whole text. */
  readonly characters: number
  /** The `from` of the next part; absent at the end. */
  readonly next?: number
}

/** At most `most` characters from `from` on, never half of a character of two units. */
export function textWindow(text: string, from: number, most: number): TextWindow {
  const end = wholeCharacter(text, Math.min(from + most, text.length))
  const part = text.slice(wholeCharacter(text, Math.min(from, text.length)), end)
  return { text: part, characters: text.length, ...(end < text.length && { next: end }) }
}

function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at
}
