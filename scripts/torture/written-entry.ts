import type { Entry } from '../../src/engine/model/event.ts'

/** The entry a tortured writer puts at a place: told from its number alone, and of any size up to 8 kB. */
export function writtenEntry(seq: number): Entry {
  const text = `${seq} `.repeat(1 + ((seq * 7919) % 1_400))
  return {
    seq,
    at: 1_000 + seq,
    cause: { by: 'host' },
    event: { type: 'component.updated', component: 'notes', state: { seq, text } },
  }
}
