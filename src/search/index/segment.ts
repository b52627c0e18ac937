import { createBlockPool, enlarged } from './create-block-pool.ts'
import { documentFields, eachFieldTerm, type FieldWords } from './document-fields.ts'
import {
  createNameTable,
  createPhraseTable,
  type NameTable,
  type PhraseTable,
} from './name-table.ts'
import {
  type DocumentKind,
  type IndexedDocument,
  splitName,
  type ToolDocument,
} from './tool-document.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'

/** Where the slots and impacts of a term stand, in ascending order of slots. */
export interface PostingList {
  readonly data: Uint32Array
  readonly start: number
  readonly end: number
}

/** Documents with an inverted index over them, in flat arrays that change in place. */
export interface Segment {
  readonly size: number
  /** Slots are below this; some may be empty. */
  readonly slots: number
  /** Another number after every change. */
  readonly version: number
  readonly vocabulary: Vocabulary
  readonly names: NameTable
  readonly phrases: Pick<PhraseTable, 'isEmpty' | 'saying'>
  slotOf(name: string, kind: DocumentKind): number | undefined
  held(slot: number): IndexedDocument | undefined
  /** Documents that have a term. */
  frequency(term: string): number
  /** The same, of a term by its number. */
  having(id: number): number
  postings(term: string): PostingList
  /** Call back with the number and the fields of every term of a document. */
  eachTerm(slot: number, visit: (id: number, fields: number) => void): void
  put(document: ToolDocument): void
  take(name: string, kind: DocumentKind): boolean
}

/** How fast occurrences of one term stop adding: at this weight a term counts half. */
const HALF_WEIGHT = 1.4

/** A posting is a slot and, in its low byte, what the term is worth there: 0 to 255. */
export const IMPACT_BITS = 8

export const FULL_IMPACT = 255

const FIELD_BITS = 8

const NO_POSTINGS: PostingList = { data: new Uint32Array(0), start: 0, end: 0 }

export function createSegment(): Segment {
  const vocabulary = createVocabulary()
  const names = createNameTable()
  const phrases = createPhraseTable()
  const postings = createBlockPool()
  const forward = createBlockPool()
  const held: (IndexedDocument | undefined)[] = []
  const freed: number[] = []
  const slotsOf = { tool: new Map<string, number>(), skill: new Map<string, number>() }
  let version = 0
  /** Weights and fields of the terms of the document that is being put in; else all zero. */
  let weights = new Float64Array(64)
  let fields = new Uint8Array(64)

  /** The numbers of the terms in some words, in the order they first occur. */
  const termsOf = (words: readonly FieldWords[]): readonly number[] => {
    const ids: number[] = []
    eachFieldTerm(words, (term, weight, field) => {
      const id = vocabulary.take(term)
      if (id >= weights.length) {
        weights = enlarged(weights, new Float64Array(id * 2))
        fields = enlarged(fields, new Uint8Array(id * 2))
      }
      const before = weights[id] ?? 0
      if (before === 0) ids.push(id)
      weights[id] = before + weight
      fields[id] = (fields[id] ?? 0) | field
    })
    return ids
  }

  const listOf = (term: string): PostingList => {
    const id = vocabulary.get(term)
    if (id === undefined) return NO_POSTINGS
    const start = postings.start(id)
    return { data: postings.data, start, end: start + postings.length(id) }
  }

  const eachTerm: Segment['eachTerm'] = (slot, visit) => {
    const start = forward.start(slot)
    const end = start + forward.length(slot)
    for (let at = start; at < end; at += 1) {
      const entry = forward.data[at] ?? 0
      visit(entry >>> FIELD_BITS, entry & 0xff)
    }
  }

  const take: Segment['take'] = (name, kind) => {
    const slot = slotsOf[kind].get(name)
    const document = slot === undefined ? undefined : held[slot]
    if (slot === undefined || document === undefined) return false
    eachTerm(slot, (id) => {
      postings.removeAt(id, postings.lowerBound(id, (slot << IMPACT_BITS) >>> 0))
      if (postings.length(id) > 0) return
      postings.clear(id)
      vocabulary.drop(id)
    })
    forward.clear(slot)
    names.remove(document, slot)
    phrases.take(slot)
    slotsOf[kind].delete(name)
    held[slot] = undefined
    freed.push(slot)
    version += 1
    return true
  }

  return {
    get size() {
      return slotsOf.tool.size + slotsOf.skill.size
    },
    get slots() {
      return held.length
    },
    get version() {
      return version
    },
    vocabulary,
    names,
    phrases,
    slotOf: (name, kind) => slotsOf[kind].get(name),
    held: (slot) => held[slot],
    frequency: (term) => {
      const id = vocabulary.get(term)
      return id === undefined ? 0 : postings.length(id)
    },
    having: postings.length,
    postings: listOf,
    eachTerm,
    put(document) {
      const { name, kind = 'tool' } = document
      const split = splitName(document)
      const words = documentFields(document, split)
      take(name, kind)
      const slot = freed.pop() ?? held.length
      const ids = termsOf(words)
      forward.reserve(slot, ids.length)
      for (const id of ids) {
        const weight = weights[id] ?? 0
        const impact = Math.max(1, Math.round((FULL_IMPACT * weight) / (weight + HALF_WEIGHT)))
        postings.insert(id, ((slot << IMPACT_BITS) | impact) >>> 0)
        forward.push(slot, ((id << FIELD_BITS) | (fields[id] ?? 0)) >>> 0)
        weights[id] = 0
        fields[id] = 0
      }
      const owner = kind === 'skill' ? name : split.owner
      const one: IndexedDocument = { name, kind, owner, bare: split.bare }
      held[slot] = one
      names.add(one, slot)
      phrases.put(slot, document.phrases ?? [])
      slotsOf[kind].set(name, slot)
      version += 1
    },
    take,
  }
}
