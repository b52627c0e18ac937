import type { ToolDocument } from './tool-document.ts'
import { WEAK_IN_TEXT } from '../words/weak-words.ts'
import { wordsOf } from '../words/words-of.ts'
import type { Word } from '../words/word.ts'
import { stemWord } from '../words/stem-word.ts'
import { schemaWords } from './schema-words.ts'
import { FIELD_WEIGHTS, fieldBit, type FieldWeight } from './search-fields.ts'
import type { SplitName } from './split-name.ts'

/** Told of every occurrence of a term: what it is worth, and the field it is in, as a bit. */
export type TermVisitor = (term: string, weight: number, field: number) => void

const NAME = fieldBit('name')
const DESCRIPTION = fieldBit('description')
const PHRASES = fieldBit('phrases')
const TOPIC = fieldBit('topic')
const TAGS = fieldBit('tags')
const PARAMETERS = fieldBit('parameters')
const OWNER = fieldBit('owner')

/** Characters of one field that are read; what stands further down makes no difference. */
const LONGEST_FIELD = 20_000
/** A phrase is a request that somebody would make. */
const LONGEST_PHRASE = 2_000
const MOST_PHRASES = 100
/** A name of so many parts is also written as one word: `flashcards`, `wordcloud`. */
const JOINED_PARTS = 3

/** The words of one field, and how they count. */
export interface FieldWords {
  readonly words: readonly Word[]
  readonly weight: FieldWeight
  /** The field, as a bit. */
  readonly field: number
}

/**
 * The words of a document by field; a field may come several times.
 *
 * What they are worth depends on the document alone, never on the others of an index: that is
 * why documents can come and go one by one and leave the ranking that a fresh index would have.
 */
export function documentFields(
  document: ToolDocument,
  { owner, bare }: SplitName,
): readonly FieldWords[] {
  const { names, texts } = schemaWords(document.inputSchema)
  const of = (words: readonly Word[], weight: FieldWeight, field: number): FieldWords => ({
    words,
    weight,
    field,
  })
  const nameWords = fieldWords(bare)
  return [
    of(nameWords, FIELD_WEIGHTS.name, NAME),
    of(joinedName(nameWords), FIELD_WEIGHTS.joinedName, NAME),
    of(fieldWords(document.description), FIELD_WEIGHTS.description, DESCRIPTION),
    ...(document.phrases ?? []).slice(0, MOST_PHRASES).map((phrase) => {
      const once = new Map(
        fieldWords(phrase.slice(0, LONGEST_PHRASE)).map((word) => [word.term, word]),
      )
      return of([...once.values()], FIELD_WEIGHTS.phrases, PHRASES)
    }),
    of(fieldWords(document.topic ?? ''), FIELD_WEIGHTS.topic, TOPIC),
    of(listWords(document.tags ?? []), FIELD_WEIGHTS.tags, TAGS),
    of(listWords(names), FIELD_WEIGHTS.parameters, PARAMETERS),
    of(listWords(texts), FIELD_WEIGHTS.parameterTexts, PARAMETERS),
    of(fieldWords(owner), FIELD_WEIGHTS.owner, OWNER),
  ]
}

/** Tell of every occurrence of a term. */
export function eachTerm(fields: readonly FieldWords[], visit: TermVisitor): void {
  for (const { words, weight, field } of fields) {
    const { lengthShare, usualLength } = weight
    const each = weight.weight / (1 - lengthShare + (lengthShare * words.length) / usualLength)
    // In a name every word counts in full: `get` is what `get_page` does.
    const weak = field === NAME ? each : each * WEAK_IN_TEXT
    for (const { term, isWeak } of words) visit(term, isWeak ? weak : each, field)
  }
}

function joinedName(words: readonly Word[]): readonly Word[] {
  if (words.length < 2 || words.length > JOINED_PARTS) return []
  const text = words.map((word) => word.text).join('')
  return [{ text, term: stemWord(text), isWeak: false }]
}

function listWords(texts: readonly string[]): readonly Word[] {
  return fieldWords(texts.join('\n'))
}

function fieldWords(text: string): readonly Word[] {
  return text === '' ? [] : wordsOf(text.slice(0, LONGEST_FIELD))
}
