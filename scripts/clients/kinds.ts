import { type ClientCase, randomNumbers } from './case-folder.ts'
import { FIELD_KINDS } from './field-kinds.ts'
import { FILE_KINDS } from './file-kinds.ts'
import { FOLDER_KINDS } from './folder-kinds.ts'
import { HEADER_KINDS } from './header-kinds.ts'
import { LAST_KINDS } from './last-kinds.ts'
import { LATER_KINDS } from './later-kinds.ts'
import { LATER_PLACE_KINDS } from './later-place-kinds.ts'
import { PLACE_KINDS } from './place-kinds.ts'
import { TEXT_KINDS } from './text-kinds.ts'

/** Makes a case of a kind from choices that depend on a seed. */
export type Kind = (choices: Choices) => ClientCase

/** Choices from a seed. */
export interface Choices {
  /** Chooses some of a list, in another order. */
  some<Item>(count: number, items: readonly Item[]): readonly Item[]
  one<Item>(items: readonly Item[]): Item
  words(count: number): string
}

/** Kinds of headers, texts, names, places, duplicates and settings, by name. */
const KINDS: Readonly<Record<string, Kind>> = {
  ...HEADER_KINDS,
  ...FILE_KINDS,
  ...TEXT_KINDS,
  ...FIELD_KINDS,
  ...PLACE_KINDS,
  ...FOLDER_KINDS,
  ...LATER_KINDS,
  ...LATER_PLACE_KINDS,
  ...LAST_KINDS,
}

const EACH = 3

/** Returns three cases of each kind, by id. */
export function casesOfKinds(): readonly (readonly [id: string, ClientCase])[] {
  return Object.entries(KINDS).flatMap(([name, kind], at) =>
    Array.from(
      { length: EACH },
      (_, index) =>
        [`${name}-${index + 1}`, kind(choicesFrom((at + 1) * 1000 + index * 37))] as const,
    ),
  )
}

const WORDS =
  'reads writes tables letters reports invoices photos notes plans tests with for and when from release weekly'.split(
    ' ',
  )

function choicesFrom(seed: number): Choices {
  const next = randomNumbers(seed)
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 10; skipped += 1) next()
  const choices: Choices = {
    one: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    some(count, items) {
      const left = [...items]
      return Array.from({ length: Math.min(count, items.length) }, () =>
        left.splice(Math.floor(next() * left.length), 1),
      ).flat()
    },
    words: (count) => Array.from({ length: count }, () => choices.one(WORDS)).join(' '),
  }
  return choices
}
