import { squashName } from '../words/squash-name.ts'

/** Which documents say that just this request is for them. */
export interface PhraseTable {
  /** Whether no document has a phrase, so that none need be looked for. */
  readonly isEmpty: boolean
  /** Slots of the documents that have a phrase, written without case and separators. */
  saying(squashed: string): readonly number[]
  put(slot: number, phrases: readonly string[]): void
  take(slot: number): void
}

const NONE: readonly number[] = []
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
