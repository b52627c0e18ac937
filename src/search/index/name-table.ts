import type { IndexedDocument } from './tool-document.ts'
import { squashName } from '../words/fold-text.ts'

/** Where the documents of a name stand, written in any way. */
export interface NameTable {
  /** Slots of the documents whose whole name this is. */
  whole(squashed: string): readonly number[]
  /** Slots of the documents that are called so by their owner. */
  bare(squashed: string): readonly number[]
  add(document: IndexedDocument, slot: number): void
  remove(document: IndexedDocument, slot: number): void
}

/** Most names are of one document, which is kept without a list around it. */
type Slots = number | number[]

const NONE: readonly number[] = []

export function createNameTable(): NameTable {
  const wholes = new Map<string, Slots>()
  const bares = new Map<string, Slots>()
  return {
    whole: (squashed) => listOf(wholes.get(squashed)),
    bare: (squashed) => listOf(bares.get(squashed)),
    add(document, slot) {
      const [whole, bare] = writings(document)
      put(wholes, whole, slot)
      if (bare !== whole) put(bares, bare, slot)
    },
    remove(document, slot) {
      const [whole, bare] = writings(document)
      take(wholes, whole, slot)
      if (bare !== whole) take(bares, bare, slot)
    },
  }
}

function writings({ name, bare }: IndexedDocument): readonly [whole: string, bare: string] {
  const whole = squashName(name)
  return [whole, bare === name ? whole : squashName(bare)]
}

function listOf(slots: Slots | undefined): readonly number[] {
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

/** Which documents say that just this request is for them. */
export interface PhraseTable {
  /** Whether no document has a phrase, so that none need be looked for. */
  readonly isEmpty: boolean
  /** Slots of the documents that have a phrase, written without case and separators. */
  saying(squashed: string): readonly number[]
  put(slot: number, phrases: readonly string[]): void
  take(slot: number): void
}

/** A phrase is a request that somebody would make; longer ones are found by their words alone. */
const LONGEST = 200

const MOST_PHRASES = 100

export function createPhraseTable(): PhraseTable {
  const slotsOf = new Map<string, readonly number[]>()
  const phrasesOf = new Map<number, ReadonlySet<string>>()
  return {
    get isEmpty() {
      return slotsOf.size === 0
    },
    saying: (squashed) => slotsOf.get(squashed) ?? NONE,
    put(slot, phrases) {
      const short = phrases.slice(0, MOST_PHRASES).filter(({ length }) => length <= LONGEST)
      const said = new Set(short.map(squashName).filter((phrase) => phrase !== ''))
      if (said.size === 0) return
      phrasesOf.set(slot, said)
      for (const phrase of said) slotsOf.set(phrase, [...(slotsOf.get(phrase) ?? NONE), slot])
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
