import { fieldsOf, SEARCH_FIELDS } from '../index/search-fields.ts'
import type { SearchMatch } from './search-answer.ts'
import type { Candidate } from './candidate.ts'
import type { QueryWord } from './query-word.ts'

/** In which fields of a document the words of a query are, as the query writes them. */
export function matchesOf(
  { layer, slot }: Candidate,
  words: readonly QueryWord[],
): readonly SearchMatch[] {
  const fieldsByTerm = new Map<string, number>()
  layer.segment.eachTerm(slot, (id, fields) => {
    fieldsByTerm.set(layer.segment.vocabulary.termOf(id), fields)
  })
  const found = words.map(({ text, terms }) => ({
    text,
    fields: new Set(terms.flatMap(({ term }) => fieldsOf(fieldsByTerm.get(term) ?? 0))),
  }))
  return SEARCH_FIELDS.flatMap((field) => {
    const terms = found.filter(({ fields }) => fields.has(field)).map(({ text }) => text)
    return terms.length === 0 ? [] : [{ field, terms: [...new Set(terms)] }]
  })
}
