import { sanitiseLine } from '../../../entries/kit.ts'
import type { SearchAnswer, SearchResult } from '../../../entries/search.ts'
import type { Report, ReportRows } from '../report.ts'

/** A result of a search, with the skill, toolset or component that it belongs to; null for a global tool. */
export interface FoundRow extends SearchResult {
  readonly owner: string | null
}

/** Shows what a search found, best first, with the words that matched by field, and how certain the first one is. */
export function foundReport({
  results,
  confidence,
  route,
}: SearchAnswer & { readonly results: readonly FoundRow[] }): Report {
  const by = { lexical: 'words', vectors: 'vectors', fused: 'words and vectors' }[route]
  return [
    foundRows(results),
    { kind: 'text', text: '' },
    { kind: 'text', text: `confidence ${confidence.toFixed(2)}, by ${by}` },
  ]
}

/** Says that a search found nothing, and what to try. */
export function nothingFoundLines(query: string, searched: number): readonly string[] {
  const among = searched === 1 ? '1 definition' : `${searched} tools and skills`
  return [
    `nothing matches "${sanitiseLine(query.slice(0, 120))}" in ${among}.`,
    'Try a few specific words for the action and its object, such as "create page".',
  ]
}

function foundRows(results: readonly FoundRow[]): ReportRows<FoundRow, FoundRow, FoundRow> {
  return {
    kind: 'rows',
    of: 'result',
    columns: [
      { title: 'SCORE', cell: ({ score }) => score.toFixed(2) },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'NAME', cell: ({ name }) => name },
      { title: 'OWNER', cell: ({ owner }) => owner ?? '-' },
      { title: 'MATCHED', cell: matchedText },
    ],
    count: results.length,
    row: (index) => results[index] as FoundRow,
    identify: ({ name }) => name,
    markWidth: 0,
    mark: () => ({ glyph: 'active' }),
    read: (row) => row,
    json: (row) => row,
    about: () => [],
    summary: (rows = results) => `${rows.length}`,
  }
}

/** Writes the words of a query that a result has, by field. */
function matchedText({ matched }: FoundRow): string {
  const words = matched.map(({ field, terms }) => `${field}: ${terms.join(' ')}`).join('; ')
  return words || 'by vectors'
}
