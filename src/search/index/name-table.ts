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

export function createNameTable(): NameTable {
  const wholes = new Map<string, number[]>()
  const bares = new Map<string, number[]>()
  return {
    whole: (squashed) => wholes.get(squashed) ?? [],
    bare: (squashed) => bares.get(squashed) ?? [],
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
  return [squashName(name), squashName(bare)]
}

function put(map: Map<string, number[]>, name: string, slot: number): void {
  if (name === '') return
  const slots = map.get(name)
  if (slots === undefined) map.set(name, [slot])
  else slots.push(slot)
}

function take(map: Map<string, number[]>, name: string, slot: number): void {
  const slots = map.get(name)
  if (slots === undefined) return
  const left = slots.filter((one) => one !== slot)
  if (left.length === 0) map.delete(name)
  else map.set(name, left)
}
