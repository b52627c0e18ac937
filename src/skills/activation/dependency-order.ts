/** What a walk over a graph of names found. */
export interface DependencyOrder {
  /** Every name reached, once, after all it needs. */
  readonly order: readonly string[]
  /** The name each one was reached from first; null for a root. */
  readonly reachedFrom: ReadonlyMap<string, string | null>
  /** Names that do not exist, with who needs them. */
  readonly missing: readonly Need[]
  /** Needs that close a circle; the walk leaves them out. */
  readonly circular: readonly Need[]
}

/** `from` needs `to`. */
export interface Need {
  readonly from: string
  readonly to: string
}

/**
 * Put names in an order in which each comes after all it needs.
 *
 * Total: names that do not exist (`needsOf` gives nothing) and circles are reported, never
 * followed. Takes time linear in names and needs, and no call stack, however deep the graph.
 */
export function dependencyOrder(
  roots: Iterable<string>,
  needsOf: (name: string) => readonly string[] | undefined,
): DependencyOrder {
  const order: string[] = []
  const reachedFrom = new Map<string, string | null>()
  const missing: Need[] = []
  const circular: Need[] = []
  const open = new Set<string>()

  for (const root of roots) {
    const stack: { readonly name: string; readonly needs: Iterator<string> }[] = []
    const enter = (name: string, from: string | null): void => {
      const needs = needsOf(name)
      if (needs === undefined) {
        if (from !== null) missing.push({ from, to: name })
        return
      }
      reachedFrom.set(name, from)
      open.add(name)
      stack.push({ name, needs: needs[Symbol.iterator]() })
    }
    if (!reachedFrom.has(root)) enter(root, null)
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.needs.next()
      if (next.done === true) {
        stack.pop()
        open.delete(top.name)
        order.push(top.name)
      } else if (open.has(next.value)) circular.push({ from: top.name, to: next.value })
      else if (!reachedFrom.has(next.value)) enter(next.value, top.name)
    }
  }
  return { order, reachedFrom, missing, circular }
}

/** The way the walk came to `name`, from its root. */
export function pathTo(
  name: string,
  { reachedFrom }: Pick<DependencyOrder, 'reachedFrom'>,
): readonly string[] {
  const way: string[] = []
  for (let at: string | null | undefined = name; typeof at === 'string';) {
    way.push(at)
    at = reachedFrom.get(at)
  }
  return way.reverse()
}
