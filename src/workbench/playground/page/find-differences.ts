import type { TokenCounter } from '../../../entries/index.ts'
import { sectionLines, toolLines } from '../../../entries/ink-views.ts'
import { compareMoments } from '../../report/facts/compare-moments.ts'
import { html, type Html } from '../../report/writers/html.ts'
import type { PageParts } from './page-parts.ts'
import { AVAILABLE, type PageMoment, type PageVersion } from './read-moment.ts'

/** The pieces that show how two versions differ, by the numbers of the versions: `3 7`. */
export type PageDifferences = ReadonlyMap<string, number>

/** The most pairs of versions that are compared, and the most letters. For other pairs, a page shows both versions. */
const MOST_PAIRS = 2000

const MOST_LETTERS = 2_000_000

/** Columns of a line; longer ones continue in the next. */
const COLUMNS = 400

/**
 * Compares the versions of sections and of the available tools, line by line, those that are near each other in
 * time first.
 *
 * @param known differences that were found before
 */
export function findDifferences(
  moments: readonly PageMoment[],
  counter: TokenCounter,
  parts: PageParts,
  known: PageDifferences,
): PageDifferences {
  const runs = [...versionsByKey(moments)]
  const longest = Math.max(0, ...runs.map(([, versions]) => versions.length))
  const found = new Map<string, number>()
  let letters = 0
  for (let apart = 1; apart < longest; apart += 1) {
    for (const [key, versions] of runs) {
      for (const [index, before] of versions.entries()) {
        const after = versions[index + apart]
        if (after === undefined || after.part === before.part) continue
        const pair = `${before.part} ${after.part}`
        if (found.has(pair)) continue
        if (found.size >= MOST_PAIRS || letters >= MOST_LETTERS) return found
        const part = known.get(pair) ?? parts.add(differencePiece(key, before, after, counter))
        letters += parts.markup(part).length
        found.set(pair, part)
      }
    }
  }
  return found
}

/** Lists the versions of each part in the order of time, without repetitions in a row. */
function versionsByKey(moments: readonly PageMoment[]): Map<string, PageVersion[]> {
  const byKey = new Map<string, PageVersion[]>()
  for (const { versions } of moments) {
    for (const [key, version] of versions) {
      const before = byKey.get(key)
      if (before === undefined) byKey.set(key, [version])
      else if (before.at(-1)?.part !== version.part) before.push(version)
    }
  }
  return byKey
}

function differencePiece(
  key: string,
  before: PageVersion,
  after: PageVersion,
  counter: TokenCounter,
): Html {
  const { tools, document } = compareMoments(before.moment, after.moment, counter)
  const lines =
    key === AVAILABLE
      ? toolLines(tools, null, COLUMNS)
      : document.changes.flatMap((one) => sectionLines(one, COLUMNS))
  const shown = lines.map(({ kind, text }) => html`<p class="${kind}">${text}</p>`)
  return html`<div class="diff">${shown}</div>`
}
