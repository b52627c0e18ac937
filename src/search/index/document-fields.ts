import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { FIELD_WEIGHTS, fieldBit, type FieldWeight } from './search-fields.ts'
import type { SplitName, ToolDocument } from './tool-document.ts'
import { WEAK_IN_TEXT } from '../words/is-weak-term.ts'
import { stemWord } from '../words/stem-word.ts'
import { type Word, wordsOf } from '../words/words-of.ts'

const NAME = fieldBit('name')

const DESCRIPTION = fieldBit('description')

const PHRASES = fieldBit('phrases')

const TOPIC = fieldBit('topic')

const TAGS = fieldBit('tags')

const PARAMETERS = fieldBit('parameters')

const OWNER = fieldBit('owner')

/** Characters of one field that are read. */
const LONGEST_FIELD = 20_000

/** Characters of a phrase that are read. */
const LONGEST_PHRASE = 2_000

const MOST_PHRASES = 100

/** A name of up to so many parts is also indexed as one word: `flashcards`, `wordcloud`. */
const JOINED_PARTS = 3

/** The words of one field and their weight. */
export interface FieldWords {
  readonly words: readonly Word[]
  readonly weight: FieldWeight
  /** The bit of the field. */
  readonly field: number
}

/**
 * Returns the words of a document by field; a field may occur several times.
 *
 * Their weights depend only on the document, never on other documents of the index. Therefore
 * documents can be added and removed one by one, and the ranking is that of a new index.
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

/** Visits every occurrence of a term with its weight and the bit of its field. */
export function eachFieldTerm(
  fields: readonly FieldWords[],
  visit: (term: string, weight: number, field: number) => void,
): void {
  for (const { words, weight, field } of fields) {
    const { lengthShare, usualLength } = weight
    const each = weight.weight / (1 - lengthShare + (lengthShare * words.length) / usualLength)
    // In a name every word counts in full: `get` says what `get_page` does.
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

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const

const DEEPEST = 6

const MOST_PARAMETERS = 200

const MOST_VALUES = 20

/** Subschemas that are read, including empty ones. */
const MOST_PARTS = 2_000

/**
 * Returns the names and allowed values of a schema's parameters at any depth, and their descriptions. Bounded, so that
 * a hostile schema is cheap.
 */
export function schemaWords(schema: JsonSchema | undefined): {
  readonly names: readonly string[]
  readonly texts: readonly string[]
} {
  const names: string[] = []
  const texts: string[] = []
  let parts = 0
  const visit = (part: unknown, depth: number): void => {
    if (!isObject(part) || depth > DEEPEST || names.length >= MOST_PARAMETERS) return
    parts += 1
    if (parts > MOST_PARTS) return
    const { description, properties, items } = part
    if (depth > 0 && typeof description === 'string') texts.push(description)
    for (const value of asList(part['enum']).slice(0, MOST_VALUES)) {
      if (typeof value === 'string') names.push(value)
    }
    if (isObject(properties)) {
      for (const name of Object.keys(properties)) {
        if (names.length >= MOST_PARAMETERS) return
        names.push(name)
        visit(properties[name], depth + 1)
      }
    }
    visit(items, depth + 1)
    for (const keyword of ALTERNATIVES) {
      for (const inner of asList(part[keyword])) visit(inner, depth + 1)
    }
  }
  visit(schema, 0)
  return { names, texts }
}

const NONE: readonly unknown[] = []

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE
}
