interface Node<T> {
  values?: Map<string, T>
  next?: WeakMap<object, Node<T>>
}

/** Looks a value up by the objects it was made from, and makes it when it is not there. */
export type IdentityMemo<T> = (objects: readonly object[], text: string, make: () => T) => T

/** Values kept for the same objects; beyond that the oldest goes, so a clock in a text is no leak. */
const MOST_TEXTS = 16

/**
 * Keep values by the identity of the objects they were made from and a text of the options that
 * made a difference. What is kept goes with its objects. Not for combinations of long-lived
 * objects that a session chooses: there are too many of them.
 */
export function identityMemo<T>(): IdentityMemo<T> {
  const root: Node<T> = {}
  return (objects, text, make) => {
    const node = objects.reduce(nextNode<T>, root)
    const values = (node.values ??= new Map())
    const kept = values.get(text)
    if (kept !== undefined) return kept
    const made = make()
    const [oldest] = values.keys()
    if (values.size >= MOST_TEXTS && oldest !== undefined) values.delete(oldest)
    values.set(text, made)
    return made
  }
}

function nextNode<T>(node: Node<T>, object: object): Node<T> {
  node.next ??= new WeakMap()
  const known = node.next.get(object) ?? {}
  node.next.set(object, known)
  return known
}
