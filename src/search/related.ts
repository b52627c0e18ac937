/**
 * What was found, and then what goes with it: the related ones of the first, of the second and so
 * on, each once, as long as there are fewer than `limit`. What was found itself always stays.
 */
export function withRelated<T>(
  found: readonly T[],
  limit: number,
  relatedOf: (one: T) => Iterable<T>,
  keyOf: (one: T) => unknown,
): readonly T[] {
  const all = new Map(found.map((one) => [keyOf(one), one]))
  for (const one of found) {
    if (all.size >= limit) break
    for (const related of relatedOf(one)) {
      if (all.size >= limit) break
      if (!all.has(keyOf(related))) all.set(keyOf(related), related)
    }
  }
  return [...all.values()]
}
