import { squashName } from '../words/squash-name.ts'
import type { Held } from './held.ts'

/** Where the documents of a name stand, written in any way. */
export interface NameTable {
  /** Slots of the documents whose whole name this is. */
  whole(squashed: string): readonly number[]
  /** Slots of the documents that are called so by their owner. */
  bare(squashed: string): readonly number[]
  add(document: Held, slot: number): void
  remove(document: Held, slot: number): void
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

function writings({ name, bare }: Held): readonly [whole: string, bare: string] {
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
