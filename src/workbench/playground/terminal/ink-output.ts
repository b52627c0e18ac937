/**
 * @license
 * Derived from `build/output.js` of Ink 8.0.0 (https://github.com/vadimdemedes/ink).
 *
 * MIT License
 *
 * Copyright (c) Vadym Demedes <vadimdemedes@hey.com> (https://github.com/vadimdemedes)
 * Copyright (c) Sindre Sorhus <sindresorhus@gmail.com> (https://sindresorhus.com)
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
 * rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
 * persons to whom the Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
import {
  type StyledChar,
  styledCharsFromTokens,
  styledCharsToString,
  tokenize,
} from '@alcalzone/ansi-tokenize'
import stringWidth from 'string-width'

/** Replaces a line of text, such as with the same text in a colour. */
type Transformer = (line: string, index: number) => string

/** The visible cells. An undefined edge has no limit; `x2` and `y2` are the first cells outside. */
interface Clip {
  readonly x1: number | undefined
  readonly x2: number | undefined
  readonly y1: number | undefined
  readonly y2: number | undefined
}

interface Write {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly transformers: readonly Transformer[]
}

type Row = StyledChar[]

/** Is never changed: all rows share it. */
const BLANK: StyledChar = { type: 'char', value: ' ', fullWidth: false, styles: [] }

/** Code units of the texts that are kept between frames: some 30 large screens. */
const MAX_KEPT = 200_000

/** The letters of texts that were written. A frame repeats most texts of the frame before it. */
class TextCache {
  /** Code units. */
  size = 0
  readonly #letters = new Map<string, readonly StyledChar[]>()
  readonly #lines = new Map<string, readonly string[]>()
  readonly #widths = new Map<string, number>()

  letters(text: string): readonly StyledChar[] {
    const known = this.#letters.get(text)
    if (known !== undefined) return known
    // A letter that is never visible has no cell.
    const letters = styledCharsFromTokens(tokenize(text)).filter(
      ({ value }) => !/^\p{Default_Ignorable_Code_Point}+$/u.test(value),
    )
    this.size += text.length
    this.#letters.set(text, letters)
    return letters
  }

  /** Returns the lines of a text. Each has the styles that the lines before it began. */
  lines(text: string): readonly string[] {
    const known = this.#lines.get(text)
    if (known !== undefined) return known
    const cut: StyledChar[][] = [[]]
    for (const letter of this.letters(text)) {
      if (letter.value === '\n') cut.push([])
      else cut.at(-1)?.push(letter)
    }
    const lines = cut.map((letters) => styledCharsToString(letters))
    this.#lines.set(text, lines)
    return lines
  }

  width(text: string): number {
    const known = this.#widths.get(text)
    if (known !== undefined) return known
    const width = stringWidth(text)
    this.#widths.set(text, width)
    return width
  }
}

let cache = new TextCache()

/**
 * Puts the texts of a frame into rows. It takes the place of Ink's own module where the command is built, and in the
 * tests of the playground: `scripts/bundle/shipped-ink.ts`. It returns the same bytes.
 */
export class InkOutput {
  readonly width: number
  readonly height: number
  readonly #operations: (Write | Clip | null)[] = []

  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.width = width
    this.height = height
    if (cache.size > MAX_KEPT) cache = new TextCache()
  }

  write(
    x: number,
    y: number,
    text: string,
    { transformers }: { readonly transformers: readonly Transformer[] },
  ): void {
    if (text !== '') this.#operations.push({ x, y, text, transformers })
  }

  /** Limits what is written until `unclip`, within the limits that there are. */
  clip(clip: Clip): void {
    this.#operations.push(clip)
  }

  unclip(): void {
    this.#operations.push(null)
  }

  get(): { readonly output: string; readonly height: number } {
    const blank = Array.from({ length: Math.ceil(this.width) }, () => BLANK)
    const rows = Array.from({ length: Math.ceil(this.height) }, () => blank.slice())
    const clips: Clip[] = []
    for (const operation of this.#operations) {
      if (operation === null) clips.pop()
      else if ('text' in operation) writeText(rows, operation, clips.at(-1))
      else clips.push(intersect(clips.at(-1), operation))
    }
    // A row that was written past its end may have gaps.
    const full = rows.map((row) =>
      row.length === blank.length ? row : row.filter((cell) => cell !== undefined),
    )
    const texts = full.map((row) => styledCharsToString(row).trimEnd())
    return { output: texts.join('\n'), height: rows.length }
  }
}

function intersect(outer: Clip | undefined, { x1, x2, y1, y2 }: Clip): Clip {
  return {
    x1: tighter(Math.max, outer?.x1, x1),
    x2: tighter(Math.min, outer?.x2, x2),
    y1: tighter(Math.max, outer?.y1, y1),
    y2: tighter(Math.min, outer?.y2, y2),
  }
}

function tighter(
  choose: (a: number, b: number) => number,
  outer: number | undefined,
  inner: number | undefined,
): number | undefined {
  if (outer === undefined) return inner
  return inner === undefined ? outer : choose(outer, inner)
}

function writeText(rows: readonly Row[], write: Write, clip: Clip | undefined): void {
  const { text, transformers } = write
  let { x, y } = write
  let lines = cache.lines(text)
  if (clip !== undefined) {
    const { x1, x2, y1, y2 } = clip
    const isAcross = x1 !== undefined && x2 !== undefined
    const isDown = y1 !== undefined && y2 !== undefined
    if ((isAcross && x1 >= x2) || (isDown && y1 >= y2)) return
    if (isDown && (y > y2 || y + lines.length < y1)) return
    if (isAcross) {
      const left = x
      const widest = Math.max(...text.split('\n').map((line) => cache.width(line)))
      if (left > x2 || left + widest < x1) return
      lines = lines.map((line) => cutLine(line, x1 - left, x2 - left))
      x = Math.max(x, x1)
    }
    if (isDown) {
      lines = lines.slice(Math.max(0, y1 - y), Math.min(lines.length, y2 - y))
      y = Math.max(y, y1)
    }
  }
  for (const [index, line] of lines.entries()) {
    const row = rows[y + index]
    if (row === undefined) continue
    const at = index + y - write.y
    writeLine(
      row,
      x,
      transformers.reduce((before, transform) => transform(before, at), line),
    )
  }
}

function writeLine(row: Row, x: number, text: string): void {
  const letters = cache.letters(text)
  if (letters.length === 0) return
  // A wide letter has a cell of its own and an empty one. Where one of them is written over, the other is blank.
  const before = row[x - 1]
  if (x > 0 && row[x]?.value === '' && before !== undefined && cache.width(before.value) > 1) {
    row[x - 1] = blankCell(before)
  }
  let at = x
  for (const letter of letters) {
    row[at] = letter
    const width = Math.max(1, cache.width(letter.value))
    for (let more = 1; more < width; more += 1) {
      // Of a letter that begins before the row, the cells in it are visible.
      row[at + more] = { ...BLANK, value: at < 0 ? ' ' : '', styles: letter.styles }
    }
    at += width
  }
  const after = row[at]
  if (after?.value === '') row[at] = blankCell(after)
}

function blankCell(cell: StyledChar): StyledChar {
  return { ...cell, value: ' ', fullWidth: false }
}

/** Returns the columns of a line from one to before another. */
function cutLine(line: string, x1: number, x2: number): string {
  const from = Math.max(0, x1)
  const to = Math.min(cache.width(line), x2)
  if (from >= to) return ''
  const kept: StyledChar[] = []
  let column = 0
  for (const letter of cache.letters(line)) {
    const width = cache.width(letter.value)
    const start = column
    column += width
    if (column <= from) continue
    if (start >= to) break
    // Of a wide letter that is visible in part, a blank with its styles is left.
    const isCut = width > 1 && (start < from || column > to)
    kept.push(isCut ? blankCell(letter) : letter)
  }
  return styledCharsToString(kept)
}
