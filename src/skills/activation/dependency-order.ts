/** The result of a walk over a graph of names. */
export interface DependencyOrder {
  /** Every name that was reached, once, after everything it needs. */
  readonly order: readonly string[]
  /** For each name, the name it was first reached from; null for a root. */
  readonly reachedFrom: ReadonlyMap<string, string | null>
  /** Needs for names that do not exist. */
  readonly missing: readonly Need[]
  /** Needs that close a circle; the walk does not follow them. */
  readonly circular: readonly Need[]
}

/** `from` needs `to`. */
export interface Need {
  readonly from: string
  readonly to: string
}

/**
 * Orders names so that each comes after everything it needs.
 *
 * Total: names that do not exist (`needsOf` returns undefined) and circles are reported and not
 * followed. Takes time linear in names and needs, and does not recurse.
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

/** Returns the path of the walk to `name`, from its root. */
export function pathTo(
  name: string,
  { reachedFrom }: Pick<DependencyOrder, 'reachedFrom'>,
): readonly string[] {
  const path: string[] = []
  for (let at: string | null | undefined = name; typeof at === 'string';) {
    path.push(at)
    at = reachedFrom.get(at)
  }
  return path.reverse()
}
