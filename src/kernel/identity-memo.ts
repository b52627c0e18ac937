/** Returns the cached value for some objects and a text, or makes it. */
export type IdentityMemo<T> = (objects: readonly object[], text: string, make: () => T) => T

interface Node<T> {
  values?: Map<string, T>
  next?: WeakMap<object, Node<T>>
}

/** Cached values for the same objects. More drop the oldest, so texts with times do not fill the memory. */
const MAX_TEXTS = 16

/**
 * Creates a cache keyed by the identity of objects and a text, such as options that affect the value. A
 * value is garbage-collected together with its objects. Do not use it for combinations of long-lived
 * objects that a session chooses, because there are too many.
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
    if (values.size >= MAX_TEXTS && oldest !== undefined) values.delete(oldest)
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
