import type { IndexedDocument } from './tool-document.ts'
import { squashName } from '../words/fold-text.ts'

/** Finds documents by name, in any spelling. */
export interface NameTable {
  /** Returns the slots of the documents with this complete name. */
  whole(squashed: string): readonly number[]
  /** Returns the slots of the documents with this name within their owner. */
  bare(squashed: string): readonly number[]
  add(document: IndexedDocument, slot: number): void
  remove(document: IndexedDocument, slot: number): void
}

/** Most names belong to one document, which is stored without a list. */
type Slots = number | number[]

const NONE: readonly number[] = []

export function createNameTable(): NameTable {
  const wholes = new Map<string, Slots>()
  const bares = new Map<string, Slots>()
  return {
    whole: (squashed) => asList(wholes.get(squashed)),
    bare: (squashed) => asList(bares.get(squashed)),
    add(document, slot) {
      const [whole, bare] = spellings(document)
      put(wholes, whole, slot)
      if (bare !== whole) put(bares, bare, slot)
    },
    remove(document, slot) {
      const [whole, bare] = spellings(document)
      take(wholes, whole, slot)
      if (bare !== whole) take(bares, bare, slot)
    },
  }
}

function spellings({ name, bare }: IndexedDocument): readonly [whole: string, bare: string] {
  const whole = squashName(name)
  return [whole, bare === name ? whole : squashName(bare)]
}

function asList(slots: Slots | undefined): readonly number[] {
  return slots === undefined ? NONE : typeof slots === 'number' ? [slots] : slots
}

function put(map: Map<string, Slots>, name: string, slot: number): void {
  if (name === '') return
  const slots = map.get(name)
  if (slots === undefined) map.set(name, slot)
  else if (typeof slots === 'number') map.set(name, [slots, slot])
  else slots.push(slot)
}

function take(map: Map<string, Slots>, name: string, slot: number): void {
  const slots = map.get(name)
  if (slots === slot) map.delete(name)
  else if (Array.isArray(slots)) {
    slots.splice(slots.indexOf(slot), 1)
    if (slots.length === 0) map.delete(name)
  }
}

/** Finds documents by their phrases. */
export interface PhraseTable {
  /** True when no document has a phrase. */
  readonly isEmpty: boolean
  /** Returns the slots of the documents with a phrase, given without case and separators. */
  slotsWith(squashed: string): readonly number[]
  put(slot: number, phrases: readonly string[]): void
  take(slot: number): void
}

/** Longer phrases are found only by their words. */
const LONGEST = 200

const MOST_PHRASES = 100

export function createPhraseTable(): PhraseTable {
  const slotsOf = new Map<string, readonly number[]>()
  const phrasesOf = new Map<number, ReadonlySet<string>>()
  return {
    get isEmpty() {
      return slotsOf.size === 0
    },
    slotsWith: (squashed) => slotsOf.get(squashed) ?? NONE,
    put(slot, phrases) {
      const short = phrases.slice(0, MOST_PHRASES).filter(({ length }) => length <= LONGEST)
      const squashed = new Set(short.map(squashName).filter((phrase) => phrase !== ''))
      if (squashed.size === 0) return
      phrasesOf.set(slot, squashed)
      for (const phrase of squashed) slotsOf.set(phrase, [...(slotsOf.get(phrase) ?? NONE), slot])
    },
    take(slot) {
      for (const phrase of phrasesOf.get(slot) ?? []) {
        const left = (slotsOf.get(phrase) ?? NONE).filter((one) => one !== slot)
        if (left.length === 0) slotsOf.delete(phrase)
        else slotsOf.set(phrase, left)
      }
      phrasesOf.delete(slot)
    },
  }
}
