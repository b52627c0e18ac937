import type { Html } from '../../report/writers/html.ts'

/** The pieces of a page, by number. Equal pieces are kept once: moments that look the same share them. */
export interface PageParts {
  /** Returns the number of a piece. */
  add(piece: Html): number
  markup(part: number): string
}

/** Creates an empty collection of pieces. */
export function createPageParts(): PageParts {
  const numbers = new Map<string, number>()
  const pieces: string[] = []
  return {
    add({ markup }) {
      const known = numbers.get(markup)
      if (known !== undefined) return known
      numbers.set(markup, pieces.length)
      return pieces.push(markup) - 1
    },
    markup: (part) => pieces[part] ?? '',
  }
}

/** A place in a piece for another piece. The texts of others are escaped, so they cannot contain one. */
const PLACE = /<div data-part="(\d+)"><\/div>/g

/** Writes the place of a piece that the page fills in when it is opened. */
export function partPlace(part: number): Html {
  return { markup: `<div data-part="${part}"></div>` }
}

/** Lists the pieces that have a place in a piece. */
export function placesIn(markup: string): readonly number[] {
  return [...markup.matchAll(PLACE)].map(([, part]) => Number(part))
}

/** Fills in the places of a piece, for readers without JavaScript. */
export function fillPlaces(markup: string, read: (part: number) => string): string {
  return markup.replaceAll(PLACE, (_place, part: string) => {
    return `<div data-part="${part}">${read(Number(part))}</div>`
  })
}
