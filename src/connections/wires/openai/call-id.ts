import { contentHash } from '../../../entries/kit.ts'

/**
 * Returns the id of a call: its own, or a new one where it has none, another call has it, or it is too long.
 *
 * @param place the place of the call in the conversation. The new id follows from it, so that a step that is made again
 *   after a crash has the same ids, and no call runs twice
 * @param taken ids of other calls
 * @param limit the most characters that the provider takes
 */
export function callId(
  own: unknown,
  place: readonly number[],
  taken: ReadonlySet<string>,
  limit: number,
): string {
  const isLegal = typeof own === 'string' && own !== '' && own.length <= limit
  return isLegal && !taken.has(own) ? own : newId(place, taken)
}

/** Looks for an id that no other call has: a history that was cut has fewer messages. */
function newId(place: readonly number[], taken: ReadonlySet<string>): string {
  const id = `call_${contentHash(place).slice(-24)}`
  return taken.has(id) ? newId([...place, 0], taken) : id
}
