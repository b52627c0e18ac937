import { distance, textVector } from './text-vector.ts'

/** From here on two texts have nothing but chance in common. */
const FARTHEST = 0.9

/** Those whose text is nearest to a query, best first; `score` is the distance: nearer 0 is better. */
export function nearest<Thing>(
  query: string,
  things: readonly Thing[],
  textOf: (thing: Thing) => string,
  limit: number,
): readonly (Thing & { readonly score: number })[] {
  const wanted = textVector(query)
  return things
    .map((thing) => ({ ...thing, score: distance(wanted, textVector(textOf(thing))) }))
    .filter(({ score }) => score < FARTHEST)
    .sort((one, other) => one.score - other.score)
    .slice(0, limit)
}
