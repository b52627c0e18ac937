/** Looks a value up by the objects it was made from and a text, and makes it when it is missing. */
export type IdentityMemo<T> = (objects: readonly object[], text: string, make: () => T) => T

interface Node<T> {
  values?: Map<string, T>
  next?: WeakMap<object, Node<T>>
}

/** Values kept for the same objects; then the oldest is dropped, so a clock in a text is no leak. */
const MOST_TEXTS = 16

/**
 * A cache keyed by the identity of objects and a text, such as the options that make a difference.
 * A value is collected together with its objects. Not for combinations of long-lived objects that a
 * session chooses: there are too many of them.
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
