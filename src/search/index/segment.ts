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

/** The slots and impacts of a term, in ascending order of slots. */
export interface PostingList {
  readonly data: Uint32Array
  readonly start: number
  readonly end: number
}

/** Documents with an inverted index over them, in flat arrays that are changed in place. */
export interface Segment {
  readonly size: number
  /** Upper bound of the slots; some may be empty. */
  readonly slots: number
  /** Changes with every change of the documents. */
  readonly version: number
  readonly vocabulary: Vocabulary
  readonly names: NameTable
  readonly phrases: Pick<PhraseTable, 'isEmpty' | 'slotsWith'>
  slotOf(name: string, kind: DocumentKind): number | undefined
  documentAt(slot: number): IndexedDocument | undefined
  /** Returns the number of documents that contain a term. */
  frequency(term: string): number
  /** The same, for a term by its number. */
  frequencyOf(id: number): number
  postings(term: string): PostingList
  /** Visits every term of a document with its number and its fields. */
  eachTerm(slot: number, visit: (id: number, fields: number) => void): void
  put(document: ToolDocument): void
  take(name: string, kind: DocumentKind): boolean
}

/** Saturation of a term's weight: at this weight it counts half of the maximum. */
const HALF_WEIGHT = 1.4

/** A posting is a slot and, in its low byte, the impact of the term there: 0 to 255. */
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
  const documents: (IndexedDocument | undefined)[] = []
  const freed: number[] = []
  const slotsOf = { tool: new Map<string, number>(), skill: new Map<string, number>() }
  let version = 0
  /** Weights and fields by term while a document is added; otherwise all zero. */
  let weights = new Float64Array(64)
  let fields = new Uint8Array(64)

  /** Returns the numbers of the terms in order of first occurrence, and fills their weights and fields. */
  const takeTerms = (words: readonly FieldWords[]): readonly number[] => {
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
    const document = slot === undefined ? undefined : documents[slot]
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
    documents[slot] = undefined
    freed.push(slot)
    version += 1
    return true
  }

  return {
    get size() {
      return slotsOf.tool.size + slotsOf.skill.size
    },
    get slots() {
      return documents.length
    },
    get version() {
      return version
    },
    vocabulary,
    names,
    phrases,
    slotOf: (name, kind) => slotsOf[kind].get(name),
    documentAt: (slot) => documents[slot],
    frequency: (term) => {
      const id = vocabulary.get(term)
      return id === undefined ? 0 : postings.length(id)
    },
    frequencyOf: postings.length,
    postings(term) {
      const id = vocabulary.get(term)
      if (id === undefined) return NO_POSTINGS
      const start = postings.start(id)
      return { data: postings.data, start, end: start + postings.length(id) }
    },
    eachTerm,
    put(document) {
      const { name, kind = 'tool' } = document
      const split = splitName(document)
      const words = documentFields(document, split)
      take(name, kind)
      const slot = freed.pop() ?? documents.length
      const ids = takeTerms(words)
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
      documents[slot] = one
      names.add(one, slot)
      phrases.put(slot, document.phrases ?? [])
      slotsOf[kind].set(name, slot)
      version += 1
    },
    take,
  }
}
