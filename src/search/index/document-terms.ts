import type { ToolDocument } from '../tool-document.ts'
import { weightInText } from '../words/weak-words.ts'
import { wordsOf } from '../words/words-of.ts'
import type { Word } from '../words/word.ts'
import { stemWord } from '../words/stem-word.ts'
import { schemaWords } from './schema-words.ts'
import { FIELD_WEIGHTS, fieldBit, type FieldWeight } from './search-fields.ts'
import { splitName } from './split-name.ts'

/** What one term is worth in one document, all fields taken together. */
export interface TermWeight {
  /** Weighted occurrences, each by its field's weight and length. */
  weight: number
  /** The fields it is in, as bits. */
  fields: number
}

/** Characters of one field that are read; what stands further down makes no difference. */
const LONGEST_FIELD = 20_000
const MOST_PHRASES = 100
/** A name of so many parts is also written as one word: `flashcards`, `wordcloud`. */
const JOINED_PARTS = 3

/**
 * The terms of a document, in the order they first occur, with their weights.
 *
 * They depend on the document alone, never on the others of an index: that is why documents
 * can come and go one by one and leave the ranking that a fresh index would have.
 */
export function documentTerms(document: ToolDocument): ReadonlyMap<string, TermWeight> {
  const terms = new Map<string, TermWeight>()
  const { owner, bare } = splitName(document)
  const { names, texts } = schemaWords(document.inputSchema)
  const nameWords = fieldWords(bare)
  addField(terms, nameWords, FIELD_WEIGHTS.name, fieldBit('name'), isName)
  if (nameWords.length > 1 && nameWords.length <= JOINED_PARTS) {
    const joined = stemWord(nameWords.map(({ text }) => text).join(''))
    addTerm(terms, joined, 1, fieldBit('name'))
  }
  addField(
    terms,
    fieldWords(document.description),
    FIELD_WEIGHTS.description,
    fieldBit('description'),
  )
  for (const phrase of document.phrases?.slice(0, MOST_PHRASES) ?? []) {
    const once = new Map(fieldWords(phrase).map((word) => [word.term, word]))
    addField(terms, [...once.values()], FIELD_WEIGHTS.phrases, fieldBit('phrases'))
  }
  addField(terms, fieldWords(document.topic ?? ''), FIELD_WEIGHTS.topic, fieldBit('topic'))
  addField(terms, listWords(document.tags ?? []), FIELD_WEIGHTS.tags, fieldBit('tags'))
  addField(terms, listWords(names), FIELD_WEIGHTS.parameters, fieldBit('parameters'))
  addField(terms, listWords(texts), FIELD_WEIGHTS.parameterTexts, fieldBit('parameters'))
  addField(terms, fieldWords(owner), FIELD_WEIGHTS.owner, fieldBit('owner'))
  return terms
}

/** In a name every word counts in full: `get` is what `get_page` does. */
const isName = () => 1

function addField(
  terms: Map<string, TermWeight>,
  words: readonly Word[],
  { weight, lengthShare, usualLength }: FieldWeight,
  bit: number,
  share: (term: string) => number = weightInText,
): void {
  const each = weight / (1 - lengthShare + (lengthShare * words.length) / usualLength)
  for (const { term } of words) addTerm(terms, term, each * share(term), bit)
}

function addTerm(terms: Map<string, TermWeight>, term: string, weight: number, bit: number): void {
  const known = terms.get(term)
  if (known === undefined) terms.set(term, { weight, fields: bit })
  else {
    known.weight += weight
    known.fields |= bit
  }
}

function listWords(texts: readonly string[]): readonly Word[] {
  return fieldWords(texts.join('\n'))
}

function fieldWords(text: string): readonly Word[] {
  return text === '' ? [] : wordsOf(text.slice(0, LONGEST_FIELD))
}
