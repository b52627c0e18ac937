import type { Entry } from '../../../entries/index.ts'
import { jsonLines } from '../text/text-lines.ts'
import { html, type Html, htmlText } from '../../report/writers/html.ts'
import { placesIn } from './page-parts.ts'
import type { PageContent } from './create-page-reader.ts'
import type { PageMoment } from './read-moment.ts'

/** The content that a page has room for. */
export interface ChosenPieces {
  /** The newest moments that fit. */
  readonly moments: readonly PageMoment[]
  /** The pieces of the page, by number. */
  readonly texts: ReadonlyMap<number, string>
  /** The pieces of differences, by the numbers of their versions. */
  readonly differences: ReadonlyMap<string, number>
  /** The numbers of the pieces of entries; a piece that did not fit is not among the texts. */
  readonly entries: readonly number[]
}

/** The most letters of moments, and of definitions and entries. */
const MOST_LETTERS = { moments: 4_000_000, details: 2_000_000 }

/** Chooses what a page shows: the newest first, until its room is used up. The newest moment is always complete. */
export function choosePieces(content: PageContent, entries: readonly Entry[]): ChosenPieces {
  const { parts } = content
  const texts = new Map<number, string>()
  /** Adds pieces of one kind while there is room for them. */
  const room = (most: number) => {
    let left = most
    return (wanted: Iterable<number>): boolean => {
      const fresh = [...new Set(wanted)].filter((part) => !texts.has(part))
      const letters = fresh.reduce((sum, part) => sum + parts.markup(part).length, 0)
      if (letters > left) return false
      left -= letters
      for (const part of fresh) texts.set(part, parts.markup(part))
      return true
    }
  }
  const newest = content.moments.at(-1)
  if (newest !== undefined) room(Infinity)(momentPieces(newest))
  const addMoment = room(MOST_LETTERS.moments)
  const first = content.moments.findLastIndex((moment) => !addMoment(momentPieces(moment)))
  const moments = content.moments.slice(first + 1)
  const addDetail = room(MOST_LETTERS.details)
  for (const part of [...texts.values()].flatMap(placesIn)) addDetail([part])
  const numbers = entries.toReversed().map((entry) => {
    const part = parts.add(entryPiece(entry))
    addDetail([part])
    return part
  })
  const shown = new Set(moments.flatMap(({ versions }) => [...versions.values()].map(partNumber)))
  const differences = [...content.differences].filter(([pair]) =>
    pair.split(' ').every((version) => shown.has(Number(version))),
  )
  for (const [, part] of differences) texts.set(part, parts.markup(part))
  return { moments, texts, differences: new Map(differences), entries: numbers.reverse() }
}

function partNumber({ part }: { readonly part: number }): number {
  return part
}

/** Lists the pieces of a moment. */
function momentPieces({ header, panels, versions }: PageMoment): readonly number[] {
  return [header, ...Object.values(panels).flat(), ...[...versions.values()].map(partNumber)]
}

function entryPiece(entry: Entry): Html {
  const { seq, event } = entry
  return html`<div>
    <h3>#${seq} ${event.type}</h3>
    ${htmlText(jsonLines(entry).join('\n'))}
  </div>`
}
