/**
 * The import cycles of a graph, each as the files on it with the first one repeated.
 *
 * Type imports count: two files that need each other's types are one idea, or a third
 * file is missing. One cycle is given per edge that closes it, not every combination.
 */
export function findCycles(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      const start = path.indexOf(next)
      if (start >= 0) cycles.push([...path.slice(start), next])
      else if (!done.has(next)) visit(next)
    }
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) if (!done.has(file)) visit(file)
  return cycles
}
