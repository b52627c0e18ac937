interface Node<T> {
  values?: Map<string, T>
  next?: WeakMap<object, Node<T>>
}

/** Looks a value up by the objects it was made from, and makes it when it is not there. */
export type IdentityMemo<T> = (objects: readonly object[], text: string, make: () => T) => T

/**
 * Keep values by the identity of the objects they were made from and a text of the options that
 * made a difference. What is kept goes with its objects, so a session leaves nothing behind.
 */
export function identityMemo<T>(): IdentityMemo<T> {
  const root: Node<T> = {}
  return (objects, text, make) => {
    let node = root
    for (const object of objects) {
      node.next ??= new WeakMap()
      let next = node.next.get(object)
      if (next === undefined) node.next.set(object, (next = {}))
      node = next
    }
    node.values ??= new Map()
    const kept = node.values.get(text)
    if (kept !== undefined) return kept
    const made = make()
    node.values.set(text, made)
    return made
  }
}
